package rules

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/rocev2"
)

// What followed a finding is told, not judged: the reply that the RPC got, a NAK
// that came within Config.Consequence, the end of the connection within that time.

// mostConsequences is how many a finding has at most.
const mostConsequences = 4

// follow adds something that followed.
func (f *Finding) follow(ref flow.Ref, time int64, text string) {
	if len(f.Consequences) >= mostConsequences {
		return
	}
	for _, c := range f.Consequences {
		if c.Text == text {
			return
		}
	}
	f.Consequences = append(f.Consequences, finding.Consequence{Frame: ref, Time: time, Text: text})
}

// recent calls do for each finding of some weight that was reported within the time in
// which something counts as what followed.
func (s *reportState) recent(now int64, do func(f *Finding)) {
	for _, f := range s.list {
		if f.Severity > finding.Note && now >= f.LastTime && now-f.LastTime <= int64(s.capture.Config.Consequence) {
			do(f)
		}
	}
}

// refused looks for a NAK in a frame of RoCE that is no ACK.
func (c *Conn) refused(v *dissect.FrameView) {
	if len(c.list) == 0 && c.ref == nil {
		return
	}
	s := v.IB.Syndrome()
	if !s.IsNAK() && !s.IsRNR() || s == rocev2.NAKPSNSequenceError {
		return // that one follows a loss, and nothing else
	}
	r := refused{Ref(v), v.Frame.Time, c.Sender(v.Verdict.From), nak{v.Verdict.From, s, v.IB.PSN}}
	c.reportState.refused(&r)
	if c.ref != nil {
		c.publish(&r)
	}
}

// refused is a NAK in a frame.
type refused struct {
	frame  flow.Ref
	time   int64
	sender string
	nak    nak
}

func (x *refused) deliver(_ *CrossConnection, e *ConnRef) { e.reportState.refused(x) }

// refused adds a NAK to the findings that it followed.
func (s *reportState) refused(x *refused) {
	s.recent(x.time, func(f *Finding) {
		if f.Frame == x.frame || !f.HasFrom || f.From == x.nak.from || len(f.Consequences) >= mostConsequences {
			return
		}
		if s.nak != x.nak || s.nakText == "" {
			s.nak, s.nakText = x.nak, fmt.Sprintf("the %s answered with %s (PSN %d)", x.sender, x.nak.syndrome, x.nak.psn)
		}
		f.follow(x.frame, x.time, s.nakText)
	})
}

// A nak is what an end answered to a PSN. A receiver that is not ready says the same
// over and over.
type nak struct {
	from     flow.End
	syndrome rocev2.Syndrome
	psn      uint32
}

// An outcome is how an RPC ended that did not go well.
type outcome struct {
	frame flow.Ref
	time  int64
	xid   uint32
	text  string // "" if it did
}

// outcomeOf is that of an RPC that is over.
func outcomeOf(r *dissect.RPC) (o outcome) {
	m := r.Reply
	if m == nil || r.Call == nil {
		return o
	}
	o = outcome{frame: m.Frame(), time: m.Last, xid: r.XID}
	const answered = "the call was answered with "
	switch h := r.ReplyHeader(); {
	case m.Header.Proc == rpcrdma.RDMAError:
		o.text = answered + "RDMA_ERROR " + m.Header.ErrorName()
	case h == nil:
	case h.Denied || h.Accept != rpc.Success:
		o.text = answered + h.Status()
	default:
		if status, ok := r.Status(); !ok && status != "" {
			o.text = answered + status
		}
	}
	return o
}

// outcome reports how an RPC ended of which something was reported.
func (s *reportState) outcome(o *outcome, said []Reported) {
	if o.text == "" {
		return
	}
	for _, x := range said {
		if f := x.Finding; x.follows() && f.Frame != o.frame && f.XID == o.xid {
			f.follow(o.frame, o.time, o.text)
		}
	}
}

// ending is how the connection ended; not ok if there is nothing to report that.
func (c *Conn) ending() (how finding.Consequence, ok bool) {
	text := ""
	switch c.Closing {
	case flow.Terminated:
		text = fmt.Sprintf("the %s ended the connection with a Terminate: %v", c.Sender(c.TerminatedBy), c.Termination)
	case flow.Reset:
		text = "the connection was reset"
	case flow.Disconnected:
		if c.Unanswered[c.ClientEnd] == 0 {
			return how, false // as every connection is at some time
		}
		text = "the connection was closed"
	default:
		return how, false
	}
	if open := c.Unanswered[c.ClientEnd]; open > 0 {
		text += " with " + field.Counted(open, "call") + " unanswered"
	}
	return finding.Consequence{Frame: c.Last, Time: c.LastTime, Text: text}, true
}

// ended adds the end of the connection to the findings that it followed.
func (s *reportState) ended(how finding.Consequence) {
	s.recent(how.Time, func(f *Finding) {
		if f.Frame != how.Frame {
			f.follow(how.Frame, how.Time, how.Text)
		}
	})
}
