package report

import (
	"sync"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// Where connections are followed apart (dissect.Shards), each shard writes drafts of the
// rows or records of its own: complete but for blanks, the places of what only
// the order of the capture decides. They are filled in when the drafts are put together.

// A blank is a place in a draft.
type blank struct {
	at   int // what stands before it, in octets
	what blankKind
	from flow.End // of a row
	// wide says of a row that it may make a column wider.
	wide bool
	conn *dissect.Connection // of a row, or whose number it is
	time int64               // of a row
	ref  flow.Ref            // the frame of a row
	// finding is whose number it is.
	finding *rules.Finding
}

type blankKind uint8

const (
	blankNumber    blankKind = iota // the number of conn
	blankFinding                    // that of a finding
	blankStart                      // the time that rows count from, if this is the first
	blankBegin                      // of a JSON record: what parts it from the one before
	blankUnlisted                   // an RPC that has no row, but a number
	blankRPC                        // what the row of an RPC begins with, up to the peers
	blankMessage                    // of a message
	blankFrame                      // of a frame, up to the connection
	blankAddresses                  // what fills the column of addresses, behind these
	blankMark                       // nothing: the next column begins here
	blankProcedure                  // what fills the column of procedures, behind the name
)

// A draft is what a shard writes about a batch.
type draft struct {
	b      []byte
	blanks []blank
	parts  []draftPart
	out    drafted
	pool   *sync.Pool
}

// A draftPart is what was written at one event: it ends with an octet and a blank.
type draftPart struct {
	at            flow.Position
	octets, blank int
	// of is the connection whose first record it is, nil if it is none: see drafter.once.
	of *dissect.Connection
}

// drafted fills in drafts, in the order of the capture.
type drafted interface {
	appendDraft(b []byte)
	fill(b *blank)
	endDraft()
	// tells reports whether the first record of a connection is still to be written, and
	// notes that it is.
	tells(c *dissect.Connection) bool
}

// Len, At, Tell and Done are those of dissect.Queue.
func (d *draft) Len() int               { return len(d.parts) }
func (d *draft) At(i int) flow.Position { return d.parts[i].at }

// Tell writes the i-th part.
func (d *draft) Tell(i int) {
	var at, n int
	if i > 0 {
		at, n = d.parts[i-1].octets, d.parts[i-1].blank
	}
	p := &d.parts[i]
	if p.of != nil && !d.out.tells(p.of) {
		return
	}
	for ; n < p.blank; n++ {
		d.out.appendDraft(d.b[at:d.blanks[n].at])
		at = d.blanks[n].at
		d.out.fill(&d.blanks[n])
	}
	d.out.appendDraft(d.b[at:p.octets])
	d.out.endDraft()
}

// Done lets the room be used again.
func (d *draft) Done() {
	clear(d.blanks)
	clear(d.parts)
	d.b, d.blanks, d.parts = d.b[:0], d.blanks[:0], d.parts[:0]
	d.pool.Put(d)
}

// A drafter has the drafts of one shard.
type drafter struct {
	now  *draft
	by   *dissect.Dissector
	pool sync.Pool
	// once says that others write records of connections too: the first of each is a part of
	// its own, which is left out if there is one.
	once bool
}

func newDrafter(out drafted, by *dissect.Dissector) *drafter {
	d := &drafter{by: by}
	d.pool.New = func() any { return &draft{out: out, pool: &d.pool} }
	d.now = d.pool.Get().(*draft)
	return d
}

// blank leaves a place open behind octets.
func (d *drafter) blank(b blank) { d.now.blanks = append(d.now.blanks, b) }

// wrote notes what was written at an event, if anything was.
func (d *drafter) wrote(octets int) { d.wroteOf(nil, octets) }

// wroteOf is the same of the first record of a connection.
func (d *drafter) wroteOf(c *dissect.Connection, octets int) {
	var before draftPart
	if n := len(d.now.parts); n > 0 {
		before = d.now.parts[n-1]
	}
	if octets > before.octets || len(d.now.blanks) > before.blank {
		d.now.parts = append(d.now.parts, draftPart{d.by.At(), octets, len(d.now.blanks), c})
	}
}

// cut ends the draft, of which b is the text, and returns the room for the next.
func (d *drafter) cut(b []byte) (q dissect.Queue, room []byte) {
	q, d.now.b = d.now, b
	d.now = d.pool.Get().(*draft)
	return q, d.now.b[:0]
}
