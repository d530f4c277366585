package listing

import "github.com/rdmacap/rdmacap/dissect"

// Columns are what rows show in place of their own columns. They are asked only of the
// level that is listed: first they are given the row, then they append each column of it.
type Columns interface {
	Headings() []Heading
	Frame(v *dissect.FrameView)
	Message(m *dissect.Message)
	RPC(r *dissect.RPC)
	// AppendTo appends what the row has in a column, nothing if it has nothing there.
	AppendTo(b []byte, column int) []byte
	// Another is the same for another goroutine, nil if there can be none, as of a Filter.
	Another() Columns
}

// A Heading is what stands above a column, and how many characters there is room for.
type Heading struct {
	Title string
	Width int
	Right bool // flush right, as numbers are
}

// An Own is a column that rows have of their own. Field is the field that has the same, "" if
// none has.
type Own struct {
	Name, Doc, Field string
	// Placed says that only the order of the capture decides what is in it, Bare that rows have
	// nothing better to write than the field.
	Placed, Bare bool
}

// AsField reports whether it is written as the field.
func (o *Own) AsField(forPrograms bool) bool {
	return o.Field != "" && (o.Bare || forPrograms && !o.Placed)
}

// A Shown is a column that somebody chose: one that rows have of their own, by its name, or the
// next of those that are fields.
type Shown struct {
	Name string
	Own  bool
}
