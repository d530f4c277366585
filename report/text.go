package report

import (
	"io"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// flushAt is how many octets of output are gathered before they are written.
const flushAt = 64 << 10

// Text writes aligned rows for a person. It is a dissect.Sink.
type Text struct {
	w     io.Writer
	opts  Options
	style style
	b     []byte
	err   error
	start int64 // time that rows count from
	begun bool
	rows  int64
	peers int // columns that the widest pair of peers took
	conns []flow.Conn
}

// NewText returns a Text that writes to w.
func NewText(w io.Writer, opts Options) *Text {
	return &Text{w: w, opts: opts, style: newStyle(opts.Color), b: make([]byte, 0, flushAt+4096)}
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

// endRow ends a line.
func (t *Text) endRow() {
	t.b = append(t.b, '\n')
	if len(t.b) >= flushAt {
		_ = t.Flush() // Err tells
	}
}

// begin prints the heading and sets the time that rows count from.
func (t *Text) begin(ns int64) {
	if !t.begun {
		t.begun, t.start = true, ns
	}
}

// Connection prints a line about a connection before its rows, and gathers
// nothing: what is known at its end comes from the final call.
func (t *Text) Connection(c *dissect.Connection, final bool) {
	t.begin(c.FirstTime)
	if final {
		t.connectionEnd(c)
		return
	}
	t.connectionStart(c)
}

// Frame prints the row of a frame.
func (t *Text) Frame(v *dissect.FrameView) {
	t.begin(v.Frame.Time)
	if t.opts.Level != LevelFrame {
		return
	}
	t.frameRow(v)
	t.endRow()
	t.exhibits(v.Exhibits)
}

// Message prints the row of a message.
func (t *Text) Message(m *dissect.Message) {
	if t.opts.Level != LevelMessage {
		return
	}
	t.messageRow(m)
	t.endRow()
	t.exhibits(func() []dissect.Exhibit { return []dissect.Exhibit{m.Exhibit()} })
}

// RPC prints the row of an RPC.
func (t *Text) RPC(r *dissect.RPC) {
	if t.opts.Level != LevelRPC {
		return
	}
	t.rpcRow(r)
	t.endRow()
	t.exhibits(r.Exhibits)
}

// exhibits prints the field trees and hex dumps that were asked for.
func (t *Text) exhibits(of func() []dissect.Exhibit) {
	if !t.opts.Details && !t.opts.Hex {
		return
	}
	for _, e := range of() {
		t.b = append(t.b, "    "...)
		t.b = t.style.heading.append(t.b, e.Title)
		t.endRow()
		if t.opts.Details {
			t.tree(e.Nodes, 6)
		}
		if t.opts.Hex {
			t.dump(e)
		}
	}
	t.endRow()
}

// number appends the number that begins a row.
func (t *Text) number(n int64) {
	at := len(t.b)
	t.b = strconv.AppendInt(t.b, n, 10)
	t.b = pad(t.b, at, 7, true)
	t.b = append(t.b, ' ')
}

// time appends a row's time, in seconds since the first frame.
func (t *Text) time(ns int64) {
	t.b = append(t.b, t.style.dim.on...)
	at := len(t.b)
	t.b = appendSeconds(t.b, ns-t.start)
	t.b = pad(t.b, at, 11, true)
	t.b = append(t.b, t.style.dim.off...)
	t.b = append(t.b, "  "...)
}

// peersOf appends the sender and the receiver, and the connection between them.
func (t *Text) peersOf(c *dissect.Connection, from flow.End) {
	at := len(t.b)
	t.b = c.Ends[from].Addr.AppendTo(t.b)
	t.b = append(t.b, " → "...)
	t.b = c.Ends[from.Peer()].Addr.AppendTo(t.b)
	t.b = append(t.b, "  #"...)
	t.b = strconv.AppendInt(t.b, int64(c.ID), 10)
	t.padPeers(at)
}

// padPeers keeps the columns behind the peers in line: their width only grows.
func (t *Text) padPeers(at int) {
	t.b = pad(t.b, at, t.peers, false)
	if n := width(t.b[at:]); n > t.peers {
		t.peers = n
	}
	t.b = append(t.b, "  "...)
}
