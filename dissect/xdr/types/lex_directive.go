package types

import "strings"

// A define is a name for a number.
type define struct {
	name   string
	at     spot
	number value
}

// directive takes a line of the C preprocessor, without its '#'.
func (l *lexer) directive(at spot, line string) error {
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil
	}
	name := ""
	if len(words) > 1 {
		name = words[1]
	}
	switch words[0] {
	case "ifdef", "ifndef", "if":
		l.nesting++
		switch {
		case l.skipping > 0:
			l.skipping++
		case words[0] == "if" && (name == "0" || isName(name) && len(words) == 2 && !l.defined[name]), words[0] == "ifdef" && !l.defined[name], words[0] == "ifndef" && l.defined[name]:
			l.skipping = 1
		case words[0] == "if" && (name != "1" && !isName(name) || len(words) != 2):
			return fault(at, "only #ifdef, #ifndef, #if 0, #if 1 and #if NAME can be decided")
		}
	case "else", "endif":
		if l.nesting == 0 {
			return fault(at, "#"+words[0]+" without #ifdef")
		}
		switch {
		case words[0] == "else" && l.skipping <= 1:
			l.skipping = 1 - l.skipping
		case words[0] == "endif":
			l.nesting--
			l.skipping = max(0, l.skipping-1)
		}
	case "define":
		if l.skipping == 0 && name != "" {
			if l.defined == nil {
				l.defined = make(map[string]bool)
			}
			l.defined[name] = true
			l.define(at, words)
		}
	}
	return nil
}

// define takes a name that stands for a number; what others stand for is not
// for XDR.
func (l *lexer) define(at spot, words []string) {
	if len(words) == 3 && isName(words[1]) && isDigit(words[2][0]) && !l.number[words[1]] {
		if l.number == nil {
			l.number = make(map[string]bool)
		}
		l.number[words[1]] = true
		l.defines = append(l.defines, define{words[1], at, value{words[2], at}})
	}
}
