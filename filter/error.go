package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Error is what is wrong with an expression, and where.
type Error struct {
	// Expr is the whole expression.
	Expr string
	// Offset and Length are the bytes at fault in Expr; Length is 0 where
	// something is missing.
	Offset, Length int
	// Reason says what is wrong.
	Reason string
	// Hint says what to write instead, "" if nobody can know.
	Hint string
}

// Columns of an expression that an error shows, and how many of them before
// the place, if it is longer.
const (
	shownColumns  = 100
	columnsBefore = 40
)

// Error is the reason, the expression with a line under it that marks the
// place, and the hint: three or four lines.
func (e *Error) Error() string { return strings.Join(e.Lines(), "\n") }

// Lines are those of Error. What of a line is the user's expression has no
// newline.
func (e *Error) Lines() []string {
	line, before, width := e.line()
	lines := []string{e.Reason, "  " + line, "  " + strings.Repeat(" ", before) + "^" + strings.Repeat("~", max(0, width-1))}
	if e.Hint != "" {
		lines = append(lines, e.Hint)
	}
	return lines
}

// line is the expression as one line, cut to what is near the place, the number
// of its columns before the place, and those of the place.
func (e *Error) line() (line string, before, width int) {
	runes := []rune(e.Expr)
	for i, c := range runes {
		if unicode.IsSpace(c) {
			runes[i] = ' '
		} else if !unicode.IsPrint(c) {
			runes[i] = '.'
		}
	}
	at := min(e.Offset, len(e.Expr))
	end := min(at+e.Length, len(e.Expr))
	before = min(utf8.RuneCountInString(e.Expr[:at]), len(runes))
	width = utf8.RuneCountInString(e.Expr[at:end])
	cutFront, cutBack := false, false
	if len(runes) > shownColumns && before > columnsBefore {
		runes, before, cutFront = runes[before-columnsBefore:], columnsBefore, true
	}
	if len(runes) > shownColumns {
		runes, cutBack = runes[:shownColumns], true
	}
	width = min(width, len(runes)-before)
	line = string(runes)
	if cutFront {
		line, before = "…"+line, before+1
	}
	if cutBack {
		line += "…"
	}
	return line, before, width
}
