package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// A stateid is the part of a stateid4 that names what it is of.
type stateid [12]byte

// stateidOf is that of an event of a body.
func stateidOf(b *dissect.Body, e *walk.Event) (s stateid) {
	if at := int(e.Offset); at+len(s) <= len(b.Bytes) {
		copy(s[:], b.Bytes[at:])
	}
	return s
}

// A copying is a COPY that the server goes on with after its reply (RFC 7862, section 15.2.3); done is a CB_OFFLOAD for
// one.
type copying struct {
	id    stateid
	about *rules.About
	at    flow.Moment
}

type done struct{ id stateid }

// copies are those of a capture that go on, by the connection that has the reply.
type copies struct{ list []openCopy }

type openCopy struct {
	copying
	connection int
}

// mostCopies is how many are remembered.
const mostCopies = 256

// copy020 posts a COPY that goes on.
func (s *shared) copy020(c *rules.Conn, r *dissect.RPC) {
	b := values.Walked(c, r.Reply)
	if b == nil {
		return
	}
	at := values.Next(b, 0, numbers.OpCopy)
	if at < 0 {
		return
	}
	events := values.Within(b, at)
	if e := s.copySynchronous.In(b, events); e == nil || e.Value != 0 {
		return
	}
	if e := s.copyCallback.In(b, events); e != nil {
		rules.Publish(c, copying{stateidOf(b, e), rules.AboutPart(r, r.Reply), r.Reply.Moment()})
	}
}

// offload020 posts a CB_OFFLOAD.
func offload020(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	if r.Call == nil || !callback(c, r) {
		return
	}
	b := values.Walked(c, r.Call)
	if b == nil {
		return
	}
	if at := values.Next(b, 0, numbers.OpCBOffload); at >= 0 {
		if e := all(c).offloaded.In(b, values.Within(b, at)); e != nil {
			rules.Publish(c, done{stateidOf(b, e)})
		}
	}
}

// asked020 takes a client that asks how far a COPY is, or cancels it, for one that does not wait for the callback.
func (s *shared) asked020(c *rules.Conn, x *compound) {
	for _, how := range [...]struct {
		op    uint64
		field *values.Field
	}{{numbers.OpOffloadStatus, &s.askedFor}, {numbers.OpOffloadCancel, &s.cancelled}} {
		if at := values.Next(x.call, 0, how.op); x.has.has(how.op) && at >= 0 {
			if e := how.field.In(x.call, values.Within(x.call, at)); e != nil {
				rules.Publish(c, done{stateidOf(x.call, e)})
			}
		}
	}
}

func copied020(e *rules.ConnRef, x *copying, _ rules.Reporter) {
	all := &crossState(e.CrossConnection).copies
	if len(all.list) < mostCopies {
		all.list = append(all.list, openCopy{*x, e.ID()})
	}
}

// done020 looks for the COPY that is over. The callback may come on another connection.
func done020(e *rules.ConnRef, x *done, _ rules.Reporter) {
	all := &crossState(e.CrossConnection).copies
	for i := range all.list {
		if all.list[i].id == x.id {
			all.list = append(all.list[:i], all.list[i+1:]...)
			return
		}
	}
}

// reportCopies reports the COPYs of a connection that go on when it is over, and have for long.
func reportCopies(e *rules.ConnRef, c *rules.Conn, report rules.Reporter) {
	all := &crossState(e.CrossConnection).copies
	left := all.list[:0]
	for _, x := range all.list {
		if x.connection != e.ID() {
			left = append(left, x)
			continue
		}
		waited := c.LastTime - x.at.Time
		if waited <= int64(e.Config().Unanswered) {
			continue
		}
		report.About("a", x.about, "the callback may have come on a connection that is not in the capture").
			Messagef("the server accepted an asynchronous COPY and sent no CB_OFFLOAD within the %s that followed", rules.Duration(waited)).
			See("time without a CB_OFFLOAD", rules.Duration(waited), nil)
	}
	all.list = left
}
