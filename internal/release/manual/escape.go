package manual

import (
	"fmt"
	"strings"
)

// special is how a character is written that roff would make something else of, "" for others.
// Where text is typed a hyphen is the minus of ASCII, so that what is copied works.
func special(r rune, typed bool) string {
	switch {
	case r == '\\':
		return `\e`
	case r == '\'':
		return `\(aq`
	case r == '`':
		return `\(ga`
	case r == '^':
		return `\(ha`
	case r == '~':
		return `\(ti`
	case r == '"':
		return `\(dq`
	case r == '-' && typed:
		return `\-`
	case r > '~':
		return fmt.Sprintf(`\[u%04X]`, r)
	}
	return ""
}

// code is text that stays as it is typed.
func code(text string) string { return escape(text, true) }

// prose is text in which only words that are typed keep their hyphens: flags, files, options of
// other programs.
func prose(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		typed := strings.HasPrefix(strings.TrimLeft(w, `'"(`), "-") || strings.ContainsAny(w, "/=_") || strings.Contains(w, ".md")
		words[i] = escape(w, typed)
	}
	return strings.Join(words, " ")
}

func escape(text string, typed bool) string {
	var b strings.Builder
	if strings.HasPrefix(text, ".") { // else it would be a macro
		b.WriteString(`\&`)
	}
	for _, r := range text {
		if with := special(r, typed); with != "" {
			b.WriteString(with)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
