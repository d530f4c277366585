package scene

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// mostLines is the greatest number of lines that a text has when everything in
// it is repeated.
const mostLines = 20000

// repeat puts the lines between "repeat N" and "end" into the text N times.
func repeat(lines []line) (all []line, err error) {
	dollar := regexp.MustCompile(`\$(\*[0-9][0-9a-fA-Fx]*)?(\+[0-9][0-9a-fA-Fx]*)?`)
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		switch l.tokens[0].text {
		case "end":
			return nil, &Error{l.number, "end ends nothing"}
		case "repeat":
			n, length, err := repeated(lines[i:])
			if err != nil {
				return nil, err
			}
			if len(all)+n*length > mostLines {
				return nil, &Error{l.number, fmt.Sprintf("it all makes more than %d lines", mostLines)}
			}
			for time := range n {
				for _, body := range lines[i+1 : i+1+length] {
					all = append(all, body.at(dollar, uint64(time)+1))
				}
			}
			i += length + 1
		default:
			all = append(all, l)
		}
	}
	return all, nil
}

// repeated is how often the lines after the first are played, and how many they
// are.
func repeated(lines []line) (n, length int, err error) {
	first := lines[0]
	var t trouble
	c := t.cursor(first)
	c.takeToken()
	n = int(c.parse(c.word("how often"), "how often", 14))
	if c.expectEnd(); t.err != nil {
		return 0, 0, t.err
	}
	for i, l := range lines[1:] {
		switch l.tokens[0].text {
		case "end":
			if len(l.tokens) == 1 {
				return n, i, nil
			}
		case "repeat":
			return 0, 0, &Error{l.number, "repeat does not stand in repeat"}
		}
	}
	return 0, 0, &Error{first.number, "repeat has no end"}
}

// at is the line as it is played for the n-th time.
func (l line) at(dollar *regexp.Regexp, n uint64) line {
	l.tokens = slices.Clone(l.tokens)
	for i, t := range l.tokens {
		if t.kind == word && strings.Contains(t.text, "$") {
			l.tokens[i].text = dollar.ReplaceAllStringFunc(t.text, func(s string) string { return reckon(s, n) })
		}
	}
	return l
}

// reckon is what $, $*K, $+K or $*K+K is for n.
func reckon(s string, n uint64) string {
	factor, term, _ := strings.Cut(s[1:], "+")
	if factor != "" {
		k, _ := strconv.ParseUint(factor[1:], 0, 64)
		n *= k
	}
	k, _ := strconv.ParseUint(term, 0, 64)
	return strconv.FormatUint(n+k, 10)
}
