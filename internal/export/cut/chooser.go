package cut

import (
	"time"

	"github.com/rdmacap/rdmacap/capture/extract"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
)

// A Choice says what is chosen.
type Choice struct {
	// RPC says whether an RPC is.
	RPC func(r *dissect.RPC) bool
	// Whole says whether all frames of a connection are; nil if that is so of none.
	Whole func(c *dissect.Connection) bool
	// Headers says that file data are left out.
	Headers bool
	// Bare says that setup and end of connections are not chosen with an RPC.
	Bare bool
}

// A Chooser finds what is chosen. It is a dissect.Sink.
type Chooser struct {
	Unwritten
	choice Choice
	snap
	frames      extract.Set
	connections map[int]*connection
	rpcs        int64
	all         int64 // frames
	whole       bool  // connections were chosen whole
}

// NewChooser returns a Chooser.
func NewChooser(c Choice) *Chooser {
	return &Chooser{choice: c, connections: make(map[int]*connection)}
}

// Any reports whether anything was chosen.
func (x *Chooser) Any() bool { return len(x.connections) > 0 }

// All is how many frames the captures have.
func (x *Chooser) All() int64 { return x.all }

// String says what was chosen: "1 RPC on 1 connection".
func (x *Chooser) String() string {
	b := field.AppendCount(nil, x.rpcs, "RPC")
	if x.whole {
		b = append(b, ", all of "...)
	} else {
		b = append(b, " on "...)
	}
	return string(field.AppendCount(b, int64(len(x.connections)), "connection"))
}

// Connection implements dissect.Sink.
func (x *Chooser) Connection(c *dissect.Connection, final bool) {
	if !final {
		return
	}
	if x.choice.Whole != nil && x.choice.Whole(c) {
		x.connectionOf(c).whole, x.whole = true, true
	}
	if k := x.connections[c.ID]; k != nil {
		k.know(c)
	}
}

// connectionOf is what is remembered of a connection.
func (x *Chooser) connectionOf(c *dissect.Connection) *connection {
	k := x.connections[c.ID]
	if k == nil {
		k = new(connection)
		x.connections[c.ID] = k
	}
	return k
}

// RPC implements dissect.Sink.
func (x *Chooser) RPC(r *dissect.RPC) {
	if !x.choice.RPC(r) {
		return
	}
	x.rpcs++
	if x.choice.Headers {
		x.snap.rpc(r)
	}
	x.connectionOf(r.Connection)
	for _, f := range r.Frames {
		x.frames.Add(f.File, f.Number)
	}
}

// Finish is that of a renderer.
func (x *Chooser) Finish(s dissect.Summary, _ time.Duration) error {
	x.all = s.Frames
	return nil
}

// Unwritten is what Chooser and Marker have in common: neither writes anything.
type Unwritten struct{}

// Connection implements dissect.Sink.
func (Unwritten) Connection(*dissect.Connection, bool) {}

// Frame implements dissect.Sink.
func (Unwritten) Frame(*dissect.FrameView) {}

// Message implements dissect.Sink.
func (Unwritten) Message(*dissect.Message) {}

// RPC implements dissect.Sink.
func (Unwritten) RPC(*dissect.RPC) {}

// Err is that of a renderer.
func (Unwritten) Err() error { return nil }

// Flush is that of a renderer.
func (Unwritten) Flush() error { return nil }

// Finish is that of a renderer.
func (Unwritten) Finish(dissect.Summary, time.Duration) error { return nil }
