package listing

import "github.com/rdmacap/rdmacap/dissect"

// Options are what a renderer can be told.
type Options struct {
	// Level says what is listed.
	Level Level
	// Details adds the field tree, Hex the bytes with each field's span.
	Details, Hex bool
	// Color colours text.
	Color bool
	// Width is how many columns there are for paragraphs of text, 0 where nobody looks at it on a terminal.
	Width int
	// All lists also the notes that are usual for Linux peers, one by one.
	All bool
	// Quiet leaves out the summary line of text.
	Quiet bool
	// Filter says which rows are listed, nil for all. Of a connection nothing is
	// told unless a row of it is listed; the summary counts all.
	Filter Filter
	// Show are the columns of rows, nil for those that rows have; Columns are those of them that
	// are fields, in their order, nil if there are none.
	Show    []Shown
	Columns Columns
	// Separator parts the cells of rows of text that a program reads: a comma, or a tab. It is 0
	// where a person does.
	Separator byte
	// Times says how the times of rows are written.
	Times Times
	// Order is by what rows are sorted, nil for the order in which they come. Limit is how many
	// are listed, 0 for all.
	Order Order
	Limit int
	// Brief leaves out rows, and has one line for each finding.
	Brief bool
	// TimeOfDay begins each row of text, and each line that stands on its own between rows, with the time of day in UTC,
	// in place of the seconds since the first frame.
	TimeOfDay bool
	// WallClock says that captures have the time of this machine's clock, as its interfaces do.
	WallClock bool
	// Names are the captures as the user named them.
	Names []string
	// Files is the number of captures; with more than one, frames are named
	// together with the index of their file.
	Files int
}

// Shardable reports whether parts of it may be written apart: neither filter nor
// columns may ask for numbers of connections, and no row may depend on others.
func (o *Options) Shardable() bool {
	return o.Order == nil && o.Limit == 0 && (o.Filter == nil || o.Filter.Another() != nil) && (o.Columns == nil || o.Columns.Another() != nil)
}

// OfPart are the options of a part.
func (o *Options) OfPart() Options {
	p := *o
	if o.Filter != nil {
		p.Filter = o.Filter.Another()
	}
	if o.Columns != nil {
		p.Columns = o.Columns.Another()
	}
	return p
}

// Counted says in a part which RPCs count, nil for all.
func (o *Options) Counted() func(r *dissect.RPC) bool {
	if o.Filter == nil {
		return nil
	}
	return o.Filter.Another().RPC
}
