package report

import (
	"io"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/exhibit"
)

// flushAt is how many octets of output are gathered before they are written.
const flushAt = 64 << 10

// Text writes aligned rows for a person. It is a dissect.Sink.
type Text struct {
	w      io.Writer
	opts   Options
	style  style
	b      []byte
	err    error
	start  int64 // the time that rows count from, 0 until one is known
	headed bool  // the columns' names were printed
	rpcs   uint64
	peers  column
	// lastPeers is what stands in the column, by the sender of the row.
	lastPeers [2]peersText
	wide      bool // a message of version 2 was seen, whose procedures have longer names
	mark      int  // where in b the column begins that is filled next
	clock     clock
	words     wording
	selection selection
	drafts    *drafter // nil unless what is written are drafts
}

// NewText returns a Text that writes to w.
func NewText(w io.Writer, opts Options) *Text {
	return &Text{
		w: w, opts: opts, style: newStyle(opts.Color), b: make([]byte, 0, flushAt+4096),
		selection: newSelection(opts.Filter),
	}
}

// Flush writes what was gathered and returns the first error of the writer.
func (t *Text) Flush() error {
	if t.err == nil && len(t.b) > 0 {
		_, t.err = t.w.Write(t.b)
	}
	t.b = t.b[:0]
	return t.err
}

// Err is the first error of the writer: nobody reads on.
func (t *Text) Err() error { return t.err }

// begin sets the time that rows count from: that of the first frame. A
// connection may be told before the frame that made it known.
func (t *Text) begin(ns int64) {
	if t.start != 0 || ns == 0 {
		return
	}
	t.start = ns
	if t.drafts != nil {
		t.place(blank{what: blankStart, time: ns})
	}
}

// endRow ends a line.
func (t *Text) endRow() {
	t.b = append(t.b, '\n')
	if len(t.b) >= flushAt && t.drafts == nil {
		_ = t.Flush() // Err tells
	}
}

// Connection prints what the set-up of a connection agreed on, before its
// rows, and what it came to, after them.
func (t *Text) Connection(c *dissect.Connection, final bool) {
	t.begin(c.FirstTime)
	switch {
	case !t.selection.connection(c, final):
	case final:
		t.connectionEnd(c)
	default:
		t.connectionStart(c)
	}
}

// row counts a row, before which its connection is told, unless it was.
func (t *Text) row(c *dissect.Connection) {
	if t.selection.row(c) {
		t.connectionStart(c)
	}
}

// Frame prints the row of a frame.
func (t *Text) Frame(v *dissect.FrameView) {
	t.begin(v.Frame.Time)
	if t.opts.Level != LevelFrame || !t.selection.Frame(v) {
		return
	}
	t.row(v.Connection)
	t.frameRow(v)
	t.endRow()
	t.exhibits(func() []exhibit.Exhibit { return exhibit.OfFrame(v) })
}

// Message prints the row of a message.
func (t *Text) Message(m *dissect.Message) {
	if t.opts.Level != LevelMessage || !t.selection.Message(m) {
		return
	}
	t.row(m.Connection)
	t.messageRow(m)
	t.endRow()
	t.exhibits(func() []exhibit.Exhibit { return []exhibit.Exhibit{exhibit.OfMessage(m)} })
}

// RPC prints the row of an RPC.
func (t *Text) RPC(r *dissect.RPC) {
	if t.opts.Level != LevelRPC {
		return
	}
	if !t.selection.RPC(r) {
		t.place(blank{what: blankUnlisted}) // numbers are the same with any filter
		return
	}
	t.row(r.Connection)
	t.rpcRow(r)
	t.endRow()
	t.exhibits(func() []exhibit.Exhibit { return exhibit.OfRPC(r) })
}

// bracket appends text in an ink and in brackets: a remark on the row.
func (t *Text) bracket(i ink, text string) {
	t.b = append(t.b, "  ["...)
	t.b = i.append(t.b, text)
	t.b = append(t.b, ']')
}
