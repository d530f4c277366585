package types

import (
	"fmt"
	"strings"
)

// A Source is one text in XDR language.
type Source struct {
	// File is the text's name in errors and places.
	File string
	// Text is what stands in it.
	Text string
	// Key is the prefix of its fields' keys in filters ("nfs"), lower case. If
	// it is "", the file's base name without its extension serves.
	Key string
}

// A Place is where something is declared; both numbers count from 1, columns
// in octets.
type Place struct {
	File         string
	Line, Column int
}

// String is the place as editors and compilers write it.
func (p Place) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// An Error says what is wrong with a text, and where.
type Error struct {
	Place
	Reason string
	// Text is the line at fault, without its end.
	Text string
}

// Error is the place and the reason, then the line and a caret below the place.
func (e *Error) Error() string {
	s := e.Place.String() + ": " + e.Reason
	if e.Text == "" {
		return s
	}
	// Tabs are kept below tabs, so that the caret stands right however wide
	// they are shown.
	pad := []byte(e.Text[:min(e.Column-1, len(e.Text))])
	for i := range pad {
		if pad[i] != '\t' {
			pad[i] = ' '
		}
	}
	return s + "\n\t" + e.Text + "\n\t" + string(pad) + "^"
}

// line is the line that holds a place of a text.
func line(text string, number int) string {
	for range number - 1 {
		_, text, _ = strings.Cut(text, "\n")
	}
	text, _, _ = strings.Cut(text, "\n")
	return strings.TrimSuffix(text, "\r")
}

// A spot is a Place in a text that is read.
type spot struct {
	source       *Source
	line, column int32
}

// A placed thing has a Place.
type placed interface{ where() Place }

func (p Place) where() Place { return p }

func (s spot) where() Place {
	if s.source == nil {
		return Place{}
	}
	return Place{s.source.File, int(s.line), int(s.column)}
}

// fault is an error of a text. Its line is added when the error is returned to
// the caller.
func fault(at placed, reason string) error { return &Error{Place: at.where(), Reason: reason} }
