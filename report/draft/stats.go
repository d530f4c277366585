package draft

import (
	"sync"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/stats"
)

// A Stats counts what is of the connections of one shard. It is a dissect.Part: what
// has limits for the whole capture it notes, and that is counted when it is put together.
type Stats struct {
	*stats.Shard
	d    *dissect.Dissector
	only func(r *dissect.RPC) bool // which RPCs count, nil for all
	// announced drafts the records of connections, nil if the form writes none.
	announced *Part
	current   *statsQueue
	pool      sync.Pool
}

// NewStats returns a Stats that notes for g what is found by d: RPCs that only lets through, nil
// for all.
func NewStats(g *stats.Gatherer, d *dissect.Dissector, only func(r *dissect.RPC) bool, announced *Part) *Stats {
	p := &Stats{Shard: stats.NewShard(), d: d, only: only, announced: announced}
	p.pool.New = func() any { return &statsQueue{g: g, pool: &p.pool} }
	p.current = p.pool.Get().(*statsQueue)
	return p
}

// Connection implements dissect.Sink.
func (p *Stats) Connection(c *dissect.Connection, final bool) {
	switch {
	case final:
		p.current.items = append(p.current.items, statsItem{at: p.d.At(), conn: c, ended: p.Over(c)})
		if p.announced != nil {
			p.announced.Records.Forget(c)
		}
	case p.announced != nil:
		p.announced.Connection(c, false)
		p.current.items = append(p.current.items, statsItem{at: p.d.At()})
	}
}

// Frame implements dissect.Sink.
func (p *Stats) Frame(*dissect.FrameView) {}

// RPC implements dissect.Sink.
func (p *Stats) RPC(r *dissect.RPC) {
	if p.only != nil && !p.only(r) {
		return
	}
	q := p.current
	p.Note(r, q.fact())
	q.items = append(q.items, statsItem{at: p.d.At(), conn: r.Connection})
}

// Flush is that of dissect.Part.
func (p *Stats) Flush() dissect.Queue {
	q := p.current
	p.current = p.pool.Get().(*statsQueue)
	if p.announced != nil {
		q.rows = p.announced.Flush()
	}
	return q
}

// A statsQueue is what a statsPart notes of a batch. It is a dissect.Queue.
type statsQueue struct {
	g       *stats.Gatherer
	items   []statsItem
	facts   []stats.Fact
	noted   int           // facts of this batch
	counted int           // and of these that were counted
	rows    dissect.Queue // of records of connections, nil if the form writes none
	next    int           // that is next
	pool    *sync.Pool
}

// A statsItem is a connection that is announced if conn is nil, one that is over if ended
// is not, or else the next fact.
type statsItem struct {
	at    flow.Position
	conn  *dissect.Connection
	ended *stats.Traffic
}

// fact is the place of the next fact.
func (q *statsQueue) fact() *stats.Fact {
	if q.noted == len(q.facts) {
		q.facts = append(q.facts, stats.Fact{})
	}
	q.noted++
	return &q.facts[q.noted-1]
}

// Len implements dissect.Queue.
func (q *statsQueue) Len() int { return len(q.items) }

// At implements dissect.Queue.
func (q *statsQueue) At(i int) flow.Position { return q.items[i].at }

// Emit implements dissect.Queue.
func (q *statsQueue) Emit(i int) {
	switch x := &q.items[i]; {
	case x.conn == nil:
		q.rows.Emit(q.next)
		q.next++
	case x.ended != nil:
		q.g.End(x.conn, x.ended)
	default:
		q.g.Count(x.conn, &q.facts[q.counted])
		q.counted++
	}
}

// Done implements dissect.Queue.
func (q *statsQueue) Done() {
	if q.rows != nil {
		q.rows.Done()
	}
	clear(q.items)
	q.items, q.rows = q.items[:0], nil
	q.noted, q.counted, q.next = 0, 0, 0
	q.pool.Put(q)
}
