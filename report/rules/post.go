package rules

import (
	"cmp"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A turn is when something is said: at which frame of the capture, and in which step
// there. Findings are listed in the order of their turns, wherever they are said.
type turn struct {
	frame int64 // its ordinal in the capture
	step  int32 // counts what was said and posted at the frame
	n     int32 // counts what is said of what was posted
}

func (t turn) compare(u turn) int {
	return cmp.Or(cmp.Compare(t.frame, u.frame), cmp.Compare(t.step, u.step), cmp.Compare(t.n, u.n))
}

// next is the turn of what is said or posted now.
func (k *Capture) next() turn {
	k.turn.step++
	return k.turn
}

// Posted is something that was posted, on its way to Across.
type Posted struct {
	entry *Entry // nil for what is of the capture, and of no connection
	at    turn
	// newest is the connection's newest frame then, at its time.
	newest     flow.Ref
	newestTime int64
	what       letter
}

// Ordinal is that of the frame at which it was posted, as the Checker was told.
func (p *Posted) Ordinal() int64 { return p.at.frame }

// A letter is what was posted.
type letter interface {
	tell(a *Across, e *Entry)
}

// Post tells the rules that look across connections about something, in the order of the
// capture: those whose OnPosted is for its type. X holds nothing that changes later: no
// message, no RPC, no access, and nothing of the connection but what it is then.
func Post[T any](c *Conn, x T) { c.post(newPosting(c.Capture, x)) }

// PostOfCapture is Post for what is of no connection.
func PostOfCapture[T any](k *Capture, x T) {
	k.posts = append(k.posts, Posted{at: k.next(), what: newPosting(k, x)})
}

// Along is Across where it takes at once what is posted, nil elsewhere. A rule that has much
// to post may ask it whether it has a use for that now, and spare the work if not; what is
// found may not depend on it.
func Along(c *Conn) *Across {
	if !c.Capture.along {
		return nil
	}
	return c.Capture.across
}

func (c *Conn) post(what letter) {
	if c.entry == nil {
		c.entry = &Entry{Across: c.Capture.across}
		c.entry.conn, c.entry.capture, c.entry.across = c.Connection, &c.Capture.across.capture, c.Capture.across
	}
	c.Capture.posts = append(c.Capture.posts, Posted{c.entry, c.Capture.next(), c.Last, c.LastTime, what})
}

type posting[T any] struct{ x T }

// A slab has room for postings of one type: a connection posts something with each of its
// first calls.
type slab[T any] struct{ list []posting[T] }

// slabSize is how many are allocated at a time.
const slabSize = 16

// newPosting is x to be posted.
func newPosting[T any](k *Capture, x T) *posting[T] {
	var p *slab[T]
	for i, w := range k.slabs {
		if w, ok := w.(*slab[T]); ok {
			p = w
			k.slabs[0], k.slabs[i] = w, k.slabs[0] // it often is the next one too
			break
		}
	}
	if p == nil {
		p = new(slab[T])
		k.slabs = append(k.slabs, p)
	}
	if len(p.list) == cap(p.list) {
		p.list = make([]posting[T], 0, slabSize) // those before are on their way
	}
	if len(p.list) == 0 {
		k.used = append(k.used, p)
	}
	p.list = append(p.list, posting[T]{x})
	return &p.list[len(p.list)-1]
}

// reuse has the room used again: Across was told of all that it has.
func (p *slab[T]) reuse() {
	clear(p.list)
	p.list = p.list[:0]
}

func (p *posting[T]) tell(a *Across, e *Entry) {
	for _, t := range a.posted {
		if t, ok := t.(*table[*Entry, *T]); ok {
			t.tell(e, &e.saying, 0, &p.x)
			return
		}
	}
}

// OnPosted calls do in Across for each T that is posted, which is valid only during the
// call. What a rule says of one case it says either here, or on the connection: the two do
// not fold their findings into one.
func OnPosted[T any](do func(e *Entry, x *T, say Say)) Event {
	return Event{join: func(*tables, place) {}, across: func(a *Across, at place) {
		for _, t := range a.posted {
			if t, ok := t.(*table[*Entry, *T]); ok {
				t.add(at, 0, do)
				return
			}
		}
		t := new(table[*Entry, *T])
		t.add(at, 0, do)
		a.posted = append(a.posted, t)
	}}
}

// OnOver calls do in Across when a connection is over, or the capture is; behind OnEnd of
// all rules.
func OnOver(do func(e *Entry, c *Conn, say Say)) Event {
	return Event{join: func(t *tables, at place) {
		what := &leaving{at.rule, noted(at, do)}
		t.end.add(at, 0, func(c *Conn, _ nothing, _ Say) { c.post(what) })
	}}
}

// leaving is what a rule does when a connection is over.
type leaving struct {
	rule *Rule
	do   func(e *Entry, c *Conn, say Say)
}

func (x *leaving) tell(_ *Across, e *Entry) {
	x.do(e, e.over, Say{of: &e.saying, rule: x.rule})
}
