package report

import (
	"sync"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A foundQueue is what a findingsPart keeps of a batch. It is a dissect.Queue.
type foundQueue struct {
	f      *Findings
	items  []foundItem
	posts  []rules.Posted
	drafts dissect.Queue // of records of connections, nil if the form writes none
	pool   *sync.Pool
}

// A foundItem is what is to be told of one event: drafts and posts up to one, and
// perhaps something else before these.
type foundItem struct {
	at            flow.Position
	posts, drafts int
	// time is that of the first frame that the shard has, with starts, or of a
	// connection that is announced; in nanoseconds since 1970.
	time              int64
	starts, announced bool
}

// Len implements dissect.Queue.
func (q *foundQueue) Len() int { return len(q.items) }

// At implements dissect.Queue.
func (q *foundQueue) At(i int) flow.Position { return q.items[i].at }

// Tell implements dissect.Queue.
func (q *foundQueue) Tell(i int) {
	var before foundItem
	if i > 0 {
		before = q.items[i-1]
	}
	x, f := &q.items[i], q.f
	switch {
	case x.starts:
		f.starts(x.time)
	case x.announced:
		f.form.starts(x.time)
	}
	for k := before.drafts; k < x.drafts; k++ {
		q.drafts.Tell(k)
	}
	f.across.Take(q.posts[before.posts:x.posts])
}

// Done implements dissect.Queue.
func (q *foundQueue) Done() {
	if q.drafts != nil {
		q.drafts.Done()
	}
	clear(q.items)
	clear(q.posts)
	q.items, q.posts, q.drafts = q.items[:0], q.posts[:0], nil
	q.pool.Put(q)
}
