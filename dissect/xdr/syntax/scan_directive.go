package syntax

import "strings"

// directive takes a line of the C preprocessor, without its '#'.
func (s *scanner) directive(at Place, line string) error {
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
		s.nesting++
		switch {
		case s.skipping > 0:
			s.skipping++
		case words[0] == "if" && (name == "0" || isName(name) && len(words) == 2 && !s.defined[name]), words[0] == "ifdef" && !s.defined[name], words[0] == "ifndef" && s.defined[name]:
			s.skipping = 1
		case words[0] == "if" && (name != "1" && !isName(name) || len(words) != 2):
			return fault(at, "only #ifdef, #ifndef, #if 0, #if 1 and #if NAME are supported")
		}
	case "else", "endif":
		if s.nesting == 0 {
			return fault(at, "#"+words[0]+" without #ifdef")
		}
		switch {
		case words[0] == "else" && s.skipping <= 1:
			s.skipping = 1 - s.skipping
		case words[0] == "endif":
			s.nesting--
			s.skipping = max(0, s.skipping-1)
		}
	case "define":
		if s.skipping == 0 && name != "" {
			if s.defined == nil {
				s.defined = make(map[string]bool)
			}
			s.defined[name] = true
			s.define(at, words)
		}
	}
	return nil
}

// define takes a name that stands for a number; what others stand for is not
// for XDR.
func (s *scanner) define(at Place, words []string) {
	if len(words) == 3 && isName(words[1]) && isDigit(words[2][0]) && !s.number[words[1]] {
		if s.number == nil {
			s.number = make(map[string]bool)
		}
		s.number[words[1]] = true
		s.defines = append(s.defines, Const{words[1], Value{words[2], at}, at})
	}
}
