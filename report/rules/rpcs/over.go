package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// mostOver is how many RPCs of a connection are remembered that are over.
const mostOver = 256

// over remembers the last RPCs of a connection that are over.
type over struct {
	list rules.Ring[past]
	// begun is the first answer that was seen.
	begun flow.Ref
	// resent counts the calls that were over since their XID served another.
	resent int
	// odd says that there was a message of which nobody knows whether it is a call.
	odd bool
}

// A past RPC is one that is over.
type past struct {
	xid       uint32
	requester flow.End
	proc      procedure
	// again says that its call had no answer when the XID served the next one.
	again bool
	// early says that its answer was captured before it, and may be that to another.
	early bool
	// call is the frame of the call; frame that of the answer, or of the call, at time.
	call, frame flow.Ref
	time        int64
}

// Hooks remembers each RPC after the rules have seen it.
func (o *over) Hooks(c *rules.Conn) rules.Hooks {
	message := func(m *dissect.Message) { o.odd = o.odd || rules.Unclear(m) }
	return rules.Hooks{MessageOf: rules.Roleless | rules.OtherVersion, Message: message, Judged: func(r *dissect.RPC) {
		if r.Call == nil {
			return
		}
		p := o.list.Add(mostOver)
		*p = past{xid: r.XID, requester: r.Requester, call: r.Call.Frame()}
		if h := r.CallHeader(); h != nil {
			p.proc = procedureOf(h)
		}
		if m := r.Reply; m != nil {
			p.frame, p.time = m.Frame(), m.Last
			p.early = p.frame.Compare(r.Call.Frame()) < 0
			if o.begun == (flow.Ref{}) {
				o.begun = p.frame
			}
		} else {
			p.frame, p.time, p.again = r.Call.Frame(), r.Call.Last, !extended(r.Call)
			if p.again {
				o.resent++
			}
			if p.again && o.resent == 1 {
				c.Await(true) // any may answer it, from now on
			}
		}
	}}
}

// last is the newest with that XID, nil if none is remembered; again says whether
// one of the remembered calls was sent again.
func (o *over) last(requester flow.End, xid uint32) (newest *past, again bool) {
	for p := range o.list.Backward() {
		if p.xid != xid || p.requester != requester {
			continue
		}
		if newest == nil {
			newest = p
		}
		again = again || p.again
	}
	return newest, again
}
