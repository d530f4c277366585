package rows

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/report/listing"
)

// Connection prints what the setup of a connection agreed on, before its
// rows, and what it came to, after them.
func (t *Text) Connection(c *dissect.Connection, final bool) {
	t.Begin(c.FirstTime)
	switch {
	case !t.selection.Connection(c, final) || t.sorted != nil:
	case final:
		t.Closing(c)
	default:
		t.Opening(c)
	}
}

// Frame prints the row of a frame.
func (t *Text) Frame(v *dissect.FrameView) {
	t.Begin(v.Frame.Time)
	t.Tick(v.Frame.Time)
	if t.opts.Level != listing.LevelFrame {
		return
	}
	if t.context != nil {
		t.context.Take(v)
	}
	if !t.selection.Frame(v) {
		return
	}
	if t.opts.Order != nil {
		t.opts.Order.Frame(v)
	}
	r, listed := t.beginRow(v.Connection)
	if !listed {
		return
	}
	cells(t, t.columns.frames, v, draft.Placeholder{Ref: v.Frame.Ref(), Time: v.Frame.Time, Conn: v.Connection})
	t.exhibits(func() []exhibit.Exhibit { return exhibit.OfFrame(v, t.context) })
	t.endRow(r)
}

// Message prints the row of a message.
func (t *Text) Message(m *dissect.Message) {
	if t.opts.Level != listing.LevelMessage || !t.selection.Message(m) {
		return
	}
	if t.opts.Order != nil {
		t.opts.Order.Message(m)
	}
	r, listed := t.beginRow(m.Connection)
	if !listed {
		return
	}
	cells(t, t.columns.messages, m, draft.Placeholder{Ref: m.Frame(), Time: m.Last, Conn: m.Connection, From: m.From, Wide: m.Header.Version == rpcrdma.Version2})
	t.exhibits(func() []exhibit.Exhibit { return []exhibit.Exhibit{exhibit.OfMessage(m)} })
	t.endRow(r)
}

// Access implements dissect.AccessSink, for RPCs with details.
func (t *Text) Access(a *dissect.Access) { t.moves.Access(a) }

// RPC prints the row of an RPC.
func (t *Text) RPC(r *dissect.RPC) {
	if t.moves != nil {
		defer t.moves.Over(r)
	}
	if t.opts.Level != listing.LevelRPC {
		return
	}
	if !t.selection.RPC(r) {
		t.place(draft.Placeholder{What: draft.Unlisted}) // numbers are the same with any filter
		return
	}
	if t.opts.Order != nil {
		t.opts.Order.RPC(r)
	}
	row, listed := t.beginRow(r.Connection)
	if !listed {
		t.place(draft.Placeholder{What: draft.Unlisted})
		return
	}
	t.taken = false
	cells(t, t.columns.rpcs, r, draft.Placeholder{Conn: r.Connection, From: r.Requester, Time: r.Start()})
	t.exhibits(func() []exhibit.Exhibit { return exhibit.OfRPC(r, t.moves) })
	t.endRow(row)
}
