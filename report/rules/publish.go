package rules

import (
	"cmp"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A turn is when something is reported: at which frame of the capture, and in which step
// there. Findings are listed in the order of their turns, wherever they are reported.
type turn struct {
	frame int64 // its ordinal in the capture
	step  int32 // counts what was reported and published at the frame
	n     int32 // counts what is reported of what was published
}

func (t turn) compare(u turn) int {
	return cmp.Or(cmp.Compare(t.frame, u.frame), cmp.Compare(t.step, u.step), cmp.Compare(t.n, u.n))
}

// next is the turn of what is reported or published now.
func (k *Capture) next() turn {
	k.turn.step++
	return k.turn
}

// A Publication is something that was published and that CrossConnection has not yet taken.
type Publication struct {
	ref *ConnRef // nil for what is of the capture, and of no connection
	at  turn
	// newest is the connection's newest frame then, at its time.
	newest     flow.Ref
	newestTime int64
	what       published
}

// Ordinal is that of the frame at which it was published, as the Checker was told.
func (p *Publication) Ordinal() int64 { return p.at.frame }

// A published is what a Publication holds.
type published interface {
	deliver(a *CrossConnection, e *ConnRef)
}

// Publish notifies the rules that look across connections about something, in the order of the
// capture: those whose OnPublished is for its type. X holds nothing that changes later: no
// message, no RPC, no access, and nothing of the connection but what it is then.
func Publish[T any](c *Conn, x T) { c.publish(newValue(c.Capture, x)) }

// PublishOfCapture is Publish for what is of no connection.
func PublishOfCapture[T any](k *Capture, x T) {
	k.publications = append(k.publications, Publication{at: k.next(), what: newValue(k, x)})
}

// Immediate is CrossConnection where it takes at once what is published, nil elsewhere. A rule that has much
// to publish may ask it whether it has a use for that now, and spare the work if not; what is
// found may not depend on it.
func Immediate(c *Conn) *CrossConnection {
	if !c.Capture.immediate {
		return nil
	}
	return c.Capture.crossConnection
}

func (c *Conn) publish(what published) {
	if c.ref == nil {
		c.ref = &ConnRef{CrossConnection: c.Capture.crossConnection}
		c.ref.conn, c.ref.capture, c.ref.crossConnection = c.Connection, &c.Capture.crossConnection.capture, c.Capture.crossConnection
	}
	c.Capture.publications = append(c.Capture.publications, Publication{c.ref, c.Capture.next(), c.Last, c.LastTime, what})
}

type value[T any] struct{ x T }

// A slab has room for values of one type: a connection publishes something with each of its
// first calls.
type slab[T any] struct{ list []value[T] }

// slabSize is how many are allocated at a time.
const slabSize = 16

// newValue is x to be published.
func newValue[T any](k *Capture, x T) *value[T] {
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
		p.list = make([]value[T], 0, slabSize) // those before are on their way
	}
	if len(p.list) == 0 {
		k.used = append(k.used, p)
	}
	p.list = append(p.list, value[T]{x})
	return &p.list[len(p.list)-1]
}

// reuse has the room used again: CrossConnection received all that it has.
func (p *slab[T]) reuse() {
	clear(p.list)
	p.list = p.list[:0]
}

func (p *value[T]) deliver(a *CrossConnection, e *ConnRef) {
	for _, t := range a.published {
		if t, ok := t.(*table[*ConnRef, *T]); ok {
			t.emit(e, &e.reportState, 0, &p.x)
			return
		}
	}
}

// OnPublished calls do in CrossConnection for each T that is published, which is valid only during the
// call. A rule reports one case either here or on the connection: the findings of the two are
// not merged.
func OnPublished[T any](do func(e *ConnRef, x *T, report Reporter)) Event {
	return Event{join: func(*tables, place) {}, crossConnection: func(a *CrossConnection, at place) {
		for _, t := range a.published {
			if t, ok := t.(*table[*ConnRef, *T]); ok {
				t.addStep(at, 0, do)
				return
			}
		}
		t := new(table[*ConnRef, *T])
		t.addStep(at, 0, do)
		a.published = append(a.published, t)
	}}
}

// OnOver calls do in CrossConnection when a connection is over, or the capture is; after OnEnd of
// all rules.
func OnOver(do func(e *ConnRef, c *Conn, report Reporter)) Event {
	return Event{join: func(t *tables, at place) {
		what := &afterConn{at.rule, noted(at, do)}
		t.end.addStep(at, 0, func(c *Conn, _ nothing, _ Reporter) { c.publish(what) })
	}}
}

// afterConn is what a rule does when a connection is over.
type afterConn struct {
	rule *Rule
	do   func(e *ConnRef, c *Conn, say Reporter)
}

func (x *afterConn) deliver(_ *CrossConnection, e *ConnRef) {
	x.do(e, e.over, Reporter{state: &e.reportState, rule: x.rule})
}
