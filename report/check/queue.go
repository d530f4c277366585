package check

import (
	"sync"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A queue is what a shard keeps of a batch. It is a dissect.Queue.
type queue struct {
	c            *Check
	items        []item
	publications []rules.Publication
	rows         dissect.Queue // nil if nothing is drafted
	notes        []noted       // of views
	pool         *sync.Pool

	// The rest is for findings that are told at once.
	newFindings []rules.NewFinding
	ends        []int // for each of news, up to where drafts are of it
	reached     int64 // see View
}

// An item is what is to be reported of one event: drafts and posts up to one, and
// perhaps something else before these.
type item struct {
	at                 flow.Position
	publications, rows int
	// time is that of the first frame that the shard has, or of a connection that is
	// announced, with starts; in nanoseconds since 1970.
	time   int64
	starts bool

	// live says that findings were reported, or may be of what was published: time is then the newest
	// one before. Drafts up to before are told first, those of news after the publications.
	live                bool
	before, newFindings int
	// spare is the draft of the first record of conn, if that was not written by then: it is
	// told only if CrossConnection says a finding of it. It is 0 if there is none.
	spare int
	conn  *dissect.Connection

	// Up to noted of the notes of the view of that index are told last, if that is not 0.
	noted, view int
}

// Len implements dissect.Queue.
func (q *queue) Len() int { return len(q.items) }

// At implements dissect.Queue.
func (q *queue) At(i int) flow.Position { return q.items[i].at }

// Emit implements dissect.Queue.
func (q *queue) Emit(i int) {
	var last item
	if i > 0 {
		last = q.items[i-1]
	}
	x, c := &q.items[i], q.c
	if x.starts {
		starts(&c.form, x.time)
	}
	for k := last.rows; k < x.before; k++ {
		q.rows.Emit(k)
	}
	c.crossConnection.TakePublications(q.publications[last.publications:x.publications])
	if x.live {
		q.emitNewFindings(x, last.newFindings)
	}
	if x.noted > 0 {
		q.notes[x.view].emit(x.noted)
	}
}

// emitNewFindings reports the findings of an event, those of the shard from one on.
func (q *queue) emitNewFindings(x *item, from int) {
	c := q.c
	at := max(x.before, x.spare) // the drafts of news
	c.crossConnection.EmitNewFindings(q.newFindings[from:x.newFindings], func(i int) {
		for ; at < q.ends[from+i]; at++ {
			q.rows.Emit(at)
		}
		c.live.later(q.newFindings[from+i].Finding, x.time)
	}, func(n rules.NewFinding) {
		if of := n.Connection; x.spare > 0 && of == x.conn {
			q.rows.Emit(x.spare - 1)
		}
		c.reportedAcross(n.Finding, x.time)
	})
}

// Done implements dissect.Queue.
func (q *queue) Done() {
	if q.rows != nil {
		q.rows.Done()
	}
	if c := q.c; c.live.on {
		c.live.until = q.reached
		c.reach(q.reached)
	}
	for _, n := range q.notes {
		n.Done()
	}
	clear(q.items)
	clear(q.notes)
	clear(q.publications)
	clear(q.newFindings)
	q.items, q.publications, q.rows, q.notes = q.items[:0], q.publications[:0], nil, q.notes[:0]
	q.newFindings, q.ends = q.newFindings[:0], q.ends[:0]
	q.pool.Put(q)
}
