package track

import (
	"math"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/front"
	"github.com/rdmacap/rdmacap/dissect/flow/qp"
	"github.com/rdmacap/rdmacap/dissect/flow/tcp"
)

// Options are what a Tracker can be told.
type Options struct {
	// Peek reads from the front of a Send what ties a reply to its call, if it
	// is such a message: an identifier and which of the two it is. It helps to
	// pair the two directions of a connection whose setup was not captured.
	Peek func(data []byte) (id uint32, call, ok bool)
	// IWARPPort is a TCP port that carries iWARP beside 20049; 0 for none.
	IWARPPort uint16
	// Units asks for the MPA frames and FPDUs of each frame.
	Units bool
	// Shards is how many Trackers follow the capture, each some connections of it, and
	// share flow.Limits: 0 is one.
	Shards int
	// Made receives each new connection before anything else, to give it its number.
	// If it is nil they are numbered as they come.
	Made func(c *flow.Conn)
}

// A Tracker finds the connections in a stream of frames. It keeps what is in
// flight, and nothing of connections that ended but a short mark.
type Tracker struct {
	connections *flow.Connections
	queuePairs  *qp.Tracker
	tcp         *tcp.Tracker
}

// NewTracker returns a Tracker that tells sink what it finds.
func NewTracker(sink flow.Sink, opts Options) *Tracker {
	all := &flow.Connections{Shared: &flow.Shared{Sink: sink, Limits: flow.NewLimits(opts.Shards)}, Made: opts.Made}
	if all.Made == nil {
		n := 0
		all.Made = func(c *flow.Conn) {
			n++
			c.ID = n
		}
	}
	return &Tracker{all, qp.New(all, opts.Peek), tcp.New(all, opts.IWARPPort, opts.Units)}
}

// Advance goes on to a frame of the capture: connections whose time is over by then are
// closed.
func (t *Tracker) Advance(a *front.Arrival) { t.connections.Advance(a.Ordinal, a.Count) }

// SkipBy says that Advance is not called for each frame: when has the number of the frame
// at which an Arrival.Count was reached.
func (t *Tracker) SkipBy(when func(count int64) (ordinal int64)) { t.connections.When = when }

// Tick goes on to the end of a frame of the capture: time went by.
func (t *Tracker) Tick(a *front.Arrival) {
	t.Advance(a)
	t.connections.At.Phase = flow.Ticking
}

// At is what is done now: for those that are called for it.
func (t *Tracker) At() flow.Position { return t.connections.At }

// Frame takes a frame, decoded, which carries the InfiniBand transport or TCP, and says
// in v, which is zero before, what it made of it. Nothing of the frame is kept by
// reference beyond the call. Advance was called for it.
func (t *Tracker) Frame(f *flow.Frame, a *front.Arrival, v *flow.Verdict) {
	if f.HasIB() {
		t.queuePairs.Frame(f, a.Damaged, v)
	} else {
		t.tcp.Frame(f, v)
	}
}

// Dropped says that any frame may be missing before f, to which Advance went on: whoever
// captured it dropped some. It is called before Frame.
func (t *Tracker) Dropped(f *flow.Frame) {
	t.connections.Dropped(flow.Moment{Ref: f.Ref(), Time: f.Time})
}

// Leave goes on to what is done before a frame of the capture, by its ordinal, and what
// that may bring: LetGo and LetGoConns.
func (t *Tracker) Leave(ordinal int64) { t.connections.Leave(ordinal) }

// InOrder says which comes first of what is done now for several connections, as Position
// has it.
func (t *Tracker) InOrder(order int64) { t.connections.At.Order = order }

// LetGo forgets whatever is between addresses that are chosen, in either order: see
// flow.Connections.LetGo. What comes later is as if the capture began there.
func (t *Tracker) LetGo(which flow.Between) {
	t.LetGoConns(func(c *flow.Conn) bool { return which(c.Ends[0].Addr, c.Ends[1].Addr) })
	t.queuePairs.LetGo(which)
	t.tcp.LetGo(which)
}

// LetGoConns lets go of the connections that are chosen.
func (t *Tracker) LetGoConns(which func(c *flow.Conn) bool) { t.connections.LetGo(which) }

// Expire lets go of what has names that serve another connection now.
func (t *Tracker) Expire(r *front.Expired) {
	if r.CommID {
		t.queuePairs.ExpireSetup(r.Src, r.Number)
	} else {
		t.queuePairs.ExpireQueuePair(r.Src, r.Dst, r.Number)
	}
}

// Waiting appends since when each half connection waits for its other direction, the oldest
// first: for FlushWaiting.
func (t *Tracker) Waiting(since []int64) []int64 { return t.queuePairs.Waiting(since) }

// FlushWaiting does of part 0 of Flush what has waited since then or longer. There may be
// thousands, and of each a connection is made.
func (t *Tracker) FlushWaiting(since int64) {
	t.connections.At = flow.Position{Ordinal: math.MaxInt64}
	t.queuePairs.Flush(since)
}

// Flushing are the parts of Flush, in their order.
const Flushing = 3

// Flush ends the capture, part by part: everything that still waits is settled with
// what is there, which may show connections; then every connection is closed in the
// order of its number, which it must have by then.
func (t *Tracker) Flush(part int) {
	t.connections.At = flow.Position{Ordinal: math.MaxInt64}
	switch part {
	case 0:
		t.queuePairs.Flush(math.MaxInt64)
	case 1:
		t.tcp.Flush()
	case 2:
		t.connections.CloseAll()
	}
}
