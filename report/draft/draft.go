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

// A Blank is a place in a draft.
type Blank struct {
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

// A Draft is what a shard writes about a batch.
type Draft struct {
	b      []byte
	blanks []Blank
	parts  []draftPart
	out    Output
	pool   *sync.Pool
}

// A draftPart is what was written at one event: it ends with a byte and a blank.
type draftPart struct {
	at           flow.Position
	bytes, blank int
	// of is the connection whose first record it is, nil if it is none: see Drafter.Once.
	of *dissect.Connection
}

// Output fills in drafts, in the order of the capture.
type Output interface {
	AppendDraft(b []byte)
	Fill(b *Blank)
	EndDraft()
	// Tells reports whether the first record of a connection is still to be written, and
	// notes that it is.
	Tells(c *dissect.Connection) bool
}

// Len, At, Tell and Done are those of dissect.Queue.
func (d *Draft) Len() int { return len(d.parts) }

// At is where in the capture the i-th part was written.
func (d *Draft) At(i int) flow.Position { return d.parts[i].at }

// Tell writes the i-th part.
func (d *Draft) Tell(i int) {
	var at, n int
	if i > 0 {
		at, n = d.parts[i-1].bytes, d.parts[i-1].blank
	}
	p := &d.parts[i]
	if p.of != nil && !d.out.Tells(p.of) {
		return
	}
	for ; n < p.blank; n++ {
		d.out.AppendDraft(d.b[at:d.blanks[n].At])
		at = d.blanks[n].At
		d.out.Fill(&d.blanks[n])
	}
	d.out.AppendDraft(d.b[at:p.bytes])
	d.out.EndDraft()
}

// Done lets the room be used again.
func (d *Draft) Done() {
	clear(d.blanks)
	clear(d.parts)
	d.b, d.blanks, d.parts = d.b[:0], d.blanks[:0], d.parts[:0]
	d.pool.Put(d)
}

// A Drafter has the drafts of one shard.
type Drafter struct {
	now  *Draft
	by   *dissect.Dissector
	pool sync.Pool
	// most is what the largest draft had, of bytes and blanks: others get as much at once.
	most struct{ bytes, blanks int }
	// Once says that others write records of connections too: the first of each is a part of
	// its own, which is left out if there is one.
	Once bool
}

// New returns a Drafter of what d finds, for an Output.
func New(out Output, by *dissect.Dissector) *Drafter {
	d := &Drafter{by: by}
	d.pool.New = func() any { return &Draft{out: out, pool: &d.pool} }
	d.now = d.pool.Get().(*Draft)
	return d
}

// Leave leaves a place open after bytes.
func (d *Drafter) Leave(b Blank) { d.now.blanks = append(d.now.blanks, b) }

// Newest is that of the Dissector whose finds are drafted.
func (d *Drafter) Newest() int64 { return d.by.Newest() }

// wrote notes what was written at an event, if anything was.
func (d *Drafter) wrote(size int) { d.WroteOf(nil, size) }

// WroteOf is the same of the first record of a connection.
func (d *Drafter) WroteOf(c *dissect.Connection, size int) {
	var before draftPart
	if n := len(d.now.parts); n > 0 {
		before = d.now.parts[n-1]
	}
	if size > before.bytes || len(d.now.blanks) > before.blank {
		d.now.parts = append(d.now.parts, draftPart{d.by.At(), size, len(d.now.blanks), c})
	}
}

// mostBlanks is for how many blanks a draft has room at once.
const mostBlanks = 512

// cut ends the draft, of which b is the text, and returns the room for the next.
func (d *Drafter) cut(b []byte) (q dissect.Queue, room []byte) {
	q, d.now.b = d.now, b
	d.most.bytes = max(d.most.bytes, min(len(b), FlushAt/2))
	d.most.blanks = max(d.most.blanks, min(len(d.now.blanks), mostBlanks))
	d.now = d.pool.Get().(*Draft)
	// To grow by and by leaves as much garbage as it takes in the end.
	if cap(d.now.b) < d.most.bytes/2 {
		d.now.b = make([]byte, 0, d.most.bytes)
	}
	if cap(d.now.blanks) < d.most.blanks/2 {
		d.now.blanks = make([]Blank, 0, d.most.blanks)
	}
	return q, d.now.b[:0]
}

// FlushAt is how many bytes of output are gathered before they are written.
const FlushAt = 64 << 10
