package syntax

import (
	"fmt"
	"path/filepath"
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
// in bytes.
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

// Prefix is what the keys of the text's fields begin with.
func (s *Source) Prefix() string {
	if s.Key != "" {
		return strings.ToLower(s.Key)
	}
	base := filepath.Base(s.File)
	return strings.ToLower(strings.TrimSuffix(base, filepath.Ext(base)))
}

// Error is the place and the reason, then the line and a caret below the place.
func (e *Error) Error() string { return strings.Join(e.Lines(), "\n") }

// Lines are those of Error; the name of the file in the first may have a newline.
func (e *Error) Lines() []string {
	lines := []string{e.Place.String() + ": " + e.Reason}
	if e.Text == "" {
		return lines
	}
	// Tabs are kept below tabs, so that the caret stands right however wide
	// they are shown.
	pad := []byte(e.Text[:min(e.Column-1, len(e.Text))])
	for i := range pad {
		if pad[i] != '\t' {
			pad[i] = ' '
		}
	}
	return append(lines, "\t"+e.Text, "\t"+string(pad)+"^")
}

// line is the line that holds a place of a text.
func line(text string, number int) string {
	for range number - 1 {
		_, text, _ = strings.Cut(text, "\n")
	}
	text, _, _ = strings.Cut(text, "\n")
	return strings.TrimSuffix(text, "\r")
}

// fault is an error of a text. Its line is added by Locate.
func fault(at Place, reason string) error { return &Error{Place: at, Reason: reason} }

// Locate adds the line of the text to an *Error that has none yet.
func Locate(sources []Source, err error) error {
	e, ok := err.(*Error)
	if !ok || e.Text != "" {
		return err
	}
	for i := range sources {
		if sources[i].File == e.File {
			e.Text = line(sources[i].Text, e.Line)
			break
		}
	}
	return e
}
