package rules

import (
	"fmt"
	"strings"
)

const (
	// MaxConfig is how long a configuration file may be, in bytes: that with all settings
	// and what they mean has 7 KiB.
	MaxConfig = 64 << 10
	// mostNesting is how deep values, tables and keys of names with points may be nested.
	// No setting is at all; the TOML package takes memory with the square of it.
	mostNesting = 16
)

// nesting says where a text in TOML is nested too deep. It knows no more of TOML than what is
// a string or a comment.
func nesting(name, text string) error {
	line, depth, points := 1, 0, 0
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '\n':
			line, points = line+1, 0
		case '#':
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(text)
			}
			continue
		case '"', '\'':
			n := stringLength(text[i:])
			line += strings.Count(text[i:i+n], "\n")
			i += n
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '.':
			points++
		case '=', ',':
			points = 0
		}
		if depth > mostNesting || points > mostNesting {
			return fmt.Errorf("%s:%d: nested too deeply: a setting is a name and a value (see 'rdmacap rules --config')", name, line)
		}
		i++
	}
	return nil
}

// stringLength is how many bytes a string in TOML has, with its quotation marks; one that does
// not end is over with its line, or with the text.
func stringLength(s string) int {
	quote := s[:1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(s, long) {
		if n := strings.Index(s[3:], long); n >= 0 {
			return 3 + n + 3
		}
		return len(s)
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\n':
			return i
		case s[i] == '\\' && quote == `"`:
			i++
		case s[i] == quote[0]:
			return i + 1
		}
	}
	return len(s)
}
