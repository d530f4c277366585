package draft

import (
	"sync"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// Where connections are followed apart (dissect.Shards), each shard writes drafts of the
// rows or records of its own: complete but for blanks, the places of what only
// the order of the capture decides. They are filled in when the drafts are put together.

// A Placeholder is a place in a draft.
type Placeholder struct {
	At   int // what stands before it, in bytes
	What Kind
	From flow.End // of a row
	// Begins says that the row begins here; from First on, the cells before Next are filled.
	Begins      bool
	First, Next uint16
	// Wide says of a row that it may make a column wider.
	Wide bool
	Conn *dissect.Connection // of a row, or whose number it is
	Time int64               // of a row
	Ref  flow.Ref            // the frame of a row
	// Finding is whose number it is.
	Finding *finding.Finding
}

// A Kind is what a blank is the place of.
type Kind uint8

const (
	Number    Kind = iota // the number of conn
	Finding               // that of a finding
	Start                 // the time that rows count from, if this is the first
	Record                // of a JSON record: what parts it from the one before
	Unlisted              // an RPC that has no row, but a number
	Cells                 // cells of a row, and what it begins with
	Moment                // in its details, when it was and how much later than the row before
	Addresses             // what fills the column of addresses, after these
	Mark                  // nothing: the next column begins here
	Procedure             // what fills the column of procedures, after the name
	Stamp                 // the time of day with which a line begins
	Whole                 // nothing: the line before it is whole, and may be broken to the width of a terminal
	Trim                  // nothing: the row ends here, without spaces
	Cut                   // nothing: the row before it is whole, and ends where a terminal does
)

// A Rows is what a shard writes about a batch.
type Rows struct {
	b            []byte
	placeholders []Placeholder
	rows         []row
	out          Output
	pool         *sync.Pool
}

// A row is what was written at one event: it ends with a byte and a blank.
type row struct {
	at                  flow.Position
	bytes, placeholders int
	// of is the connection whose first record it is, nil if it is none: see Drafter.Once.
	of *dissect.Connection
}

// Output fills in drafts, in the order of the capture.
type Output interface {
	AppendRow(b []byte)
	Fill(b *Placeholder)
	EndRow()
	// FirstOf reports whether the first record of a connection is still to be written, and
	// notes that it is.
	FirstOf(c *dissect.Connection) bool
}

// Len, At, Tell and Done are those of dissect.Queue.
func (d *Rows) Len() int { return len(d.rows) }

// At is where in the capture the i-th part was written.
func (d *Rows) At(i int) flow.Position { return d.rows[i].at }

// Emit writes the i-th part.
func (d *Rows) Emit(i int) {
	var at, n int
	if i > 0 {
		at, n = d.rows[i-1].bytes, d.rows[i-1].placeholders
	}
	p := &d.rows[i]
	if p.of != nil && !d.out.FirstOf(p.of) {
		return
	}
	for ; n < p.placeholders; n++ {
		d.out.AppendRow(d.b[at:d.placeholders[n].At])
		at = d.placeholders[n].At
		d.out.Fill(&d.placeholders[n])
	}
	d.out.AppendRow(d.b[at:p.bytes])
	d.out.EndRow()
}

// Done lets the room be used again.
func (d *Rows) Done() {
	clear(d.placeholders)
	clear(d.rows)
	d.b, d.placeholders, d.rows = d.b[:0], d.placeholders[:0], d.rows[:0]
	d.pool.Put(d)
}

// A Deferrer has the drafts of one shard.
type Deferrer struct {
	current *Rows
	by      *dissect.Dissector
	pool    sync.Pool
	// most is what the largest draft had, of bytes and blanks: others get as much at once.
	most struct{ bytes, placeholders int }
	// Once says that others write records of connections too: the first of each is a part of
	// its own, which is left out if there is one.
	Once bool
}

// New returns a Drafter of what d finds, for an Output.
func New(out Output, by *dissect.Dissector) *Deferrer {
	d := &Deferrer{by: by}
	d.pool.New = func() any { return &Rows{out: out, pool: &d.pool} }
	d.current = d.pool.Get().(*Rows)
	return d
}

// Leave leaves a place open after bytes.
func (d *Deferrer) Leave(b Placeholder) { d.current.placeholders = append(d.current.placeholders, b) }

// Newest is that of the Dissector whose finds are drafted.
func (d *Deferrer) Newest() int64 { return d.by.Newest() }

// wrote notes what was written at an event, if anything was.
func (d *Deferrer) wrote(size int) { d.WroteOf(nil, size) }

// WroteOf is the same of the first record of a connection.
func (d *Deferrer) WroteOf(c *dissect.Connection, size int) {
	var before row
	if n := len(d.current.rows); n > 0 {
		before = d.current.rows[n-1]
	}
	if size > before.bytes || len(d.current.placeholders) > before.placeholders {
		d.current.rows = append(d.current.rows, row{d.by.At(), size, len(d.current.placeholders), c})
	}
}

// mostPlaceholders is for how many blanks a draft has room at once.
const mostPlaceholders = 512

// flush ends the draft, of which b is the text, and returns the room for the next.
func (d *Deferrer) flush(b []byte) (q dissect.Queue, room []byte) {
	q, d.current.b = d.current, b
	d.most.bytes = max(d.most.bytes, min(len(b), FlushAt/2))
	d.most.placeholders = max(d.most.placeholders, min(len(d.current.placeholders), mostPlaceholders))
	d.current = d.pool.Get().(*Rows)
	// To grow by and by leaves as much garbage as it takes in the end.
	if cap(d.current.b) < d.most.bytes/2 {
		d.current.b = make([]byte, 0, d.most.bytes)
	}
	if cap(d.current.placeholders) < d.most.placeholders/2 {
		d.current.placeholders = make([]Placeholder, 0, d.most.placeholders)
	}
	return q, d.current.b[:0]
}

// FlushAt is how many bytes of output are gathered before they are written.
const FlushAt = 64 << 10
