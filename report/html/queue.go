package html

import (
	"sync"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/html/ladder"
	"github.com/rdmacap/rdmacap/report/html/rpcrow"
	"github.com/rdmacap/rdmacap/report/html/series"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A queue is what a part has to report a batch, in the order in which it happened. It is a
// dissect.Queue.
type queue struct {
	h       *Page
	pool    *sync.Pool
	items   []item
	finding item // the last one of what was reported and published

	publications []rules.Publication
	newFindings  []rules.NewFinding
	requests     []*evidenceRequest // one for each of news
	frames       []seenFrame
	steps        []ladder.Step
	counts       []series.Count
	ends         []ending
	rpcs         []rpcItem
	noted        int          // of rpcs
	begins       int64        // of itemBegins, a time in nanoseconds since 1970
	store        rpcrow.Store // of the rows of rpcs

	emitted struct {
		publications, newFindings, steps int32
		frames, counts, ends, rpcs       int
	}
}

func (q *queue) enqueue(x item) { q.items = append(q.items, x) }

// rpc is the place of the next RPC.
func (q *queue) rpc() *rpcItem {
	if q.noted == len(q.rpcs) {
		q.rpcs = append(q.rpcs, rpcItem{})
	}
	q.noted++
	x := &q.rpcs[q.noted-1]
	*x = rpcItem{fact: x.fact, texts: len(q.store.Texts())}
	return x
}

// Len implements dissect.Queue.
func (q *queue) Len() int { return len(q.items) }

// At implements dissect.Queue.
func (q *queue) At(i int) flow.Position { return q.items[i].at }

// Emit implements dissect.Queue.
func (q *queue) Emit(i int) {
	h, t := q.h, &q.emitted
	switch x := &q.items[i]; x.kind {
	case itemBegins:
		h.begin(q.begins)
	case itemFinding:
		h.check.CrossConnection().TakePublications(q.publications[t.publications:x.publications])
		from := int(t.newFindings)
		h.check.CrossConnection().EmitNewFindings(q.newFindings[from:x.newFindings], func(i int) { h.newFinding(q.requests[from+i]) }, h.crossConnectionFinding)
		t.publications, t.newFindings = x.publications, x.newFindings
	case itemFrame:
		f := &q.frames[t.frames]
		q.count(int(f.counts))
		h.seen(f, q.steps[t.steps:f.steps])
		t.frames++
		t.steps = f.steps
	case itemRPC:
		from := 0
		if t.rpcs > 0 {
			from = q.rpcs[t.rpcs-1].texts
		}
		r := &q.rpcs[t.rpcs]
		h.over(r, q.store.Texts(), from)
		t.rpcs++
	case itemEnds:
		q.count(q.ends[t.ends].counts)
		h.ends(&q.ends[t.ends])
		t.ends++
	case itemEnded:
		h.requests.ending = false
		h.states.forget(q.ends[t.ends-1].conn)
	}
}

// count counts what was moved, up to one.
func (q *queue) count(to int) {
	for ; q.emitted.counts < to; q.emitted.counts++ {
		c := &q.counts[q.emitted.counts]
		q.h.seriesOf(c.Conn).Count(c)
		q.h.whole.Count(c)
	}
}

// Done implements dissect.Queue.
func (q *queue) Done() {
	q.h.room.notice(q.h.page)
	q.count(len(q.counts))
	// The rest has pointers too, but to little, and is written over soon: by another processor,
	// which would have to fetch what is changed here.
	clear(q.publications)
	clear(q.newFindings)
	clear(q.requests)
	clear(q.ends)
	q.store.Empty()
	*q = queue{
		h: q.h, pool: q.pool, items: q.items[:0], publications: q.publications[:0], newFindings: q.newFindings[:0], requests: q.requests[:0], frames: q.frames[:0],
		steps: q.steps[:0], counts: q.counts[:0], ends: q.ends[:0], rpcs: q.rpcs, store: q.store,
	}
	q.pool.Put(q)
}
