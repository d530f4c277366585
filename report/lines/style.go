package lines

import (
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/words"
)

// A Style holds the colours of text. What a colour says, a word says too.
type Style struct {
	Dim, Heading, Name, Good, Odd, Bad, Conn words.Ink
}

// Inks are those of words.
func (s *Style) Inks() words.Inks { return words.Inks{Odd: s.Odd, Bad: s.Bad} }

// Of is the colour of a severity.
func (s *Style) Of(severity finding.Severity) words.Ink {
	switch severity {
	case finding.Error:
		return s.Bad
	case finding.Warning:
		return s.Odd
	}
	return s.Name
}

// newStyle has the eight colours that every terminal has, so that they are those that
// its user chose.
func newStyle(color bool) Style {
	if !color {
		return Style{}
	}
	return Style{
		Dim:     sgr("2"),
		Heading: sgr("1"),
		Name:    sgr("36"),
		Good:    sgr("32"),
		Odd:     sgr("33"),
		Bad:     sgr("1;31"),
		Conn:    sgr("1;34"),
	}
}

// sgr is an ink by the parameters of SELECT GRAPHIC RENDITION (ECMA-48, 8.3.117).
func sgr(parameters string) words.Ink {
	return words.Ink{On: "\x1b[" + parameters + "m", Off: "\x1b[0m"}
}
