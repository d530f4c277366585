package watch

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// A noter notes what one goroutine finds. It is a dissect.Sink, and nobody else looks into what
// it has.
type noter struct {
	now    *notes
	filter listing.Filter // of RPCs that are listed, nil for all
	words  words.Words
	shard  *stats.Shard
}

// newNoter returns one that notes into notes which RPCs go through a filter that no other uses.
func newNoter(now *notes, f listing.Filter) *noter {
	return &noter{now: now, filter: f, shard: stats.NewShard()}
}

// Connection implements dissect.Sink.
func (n *noter) Connection(c *dissect.Connection, final bool) {
	e := event{kind: begins, conn: c, standing: standingOf(c), more: n.now.identify(c)}
	if final {
		e.kind = ends
	}
	n.now.events = append(n.now.events, e)
}

// Frame implements dissect.Sink.
func (n *noter) Frame(v *dissect.FrameView) {
	e := event{kind: frame, conn: v.Connection, time: v.Frame.Time, bytes: int64(v.Frame.Length)}
	if c := v.Connection; c != nil {
		e.standing = standingOf(c)
		e.toServer = c.ToServer(v.Verdict.From)
	}
	n.now.events = append(n.now.events, e)
}

// Message implements dissect.Sink.
func (n *noter) Message(m *dissect.Message) {
	c := m.Connection
	e := event{kind: message, conn: c, time: m.Last, standing: standingOf(c), more: n.now.identify(c)}
	x := m.RPC()
	e.call = x != nil && x.Call == m
	e.granted, e.requester, e.grants = stats.Grant(m)
	n.now.events = append(n.now.events, e)
}

// RPC implements dissect.Sink.
func (n *noter) RPC(r *dissect.RPC) {
	x := n.now.rpc(r.Connection)
	n.shard.Note(r, &x.fact)
	x.latency = -1
	if ns, ok := r.Latency(); ok {
		x.latency = ns
	}
	if x.matched = n.filter == nil || n.filter.RPC(r); x.matched {
		x.line.setRPC(r, x.latency, &n.words)
	}
}
