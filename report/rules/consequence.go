package rules

import (
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
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
	f.Consequences = append(f.Consequences, Consequence{ref, time, text})
}

// recent calls do for each finding of some weight that was said within the time in
// which something counts as what followed.
func (c *Conn) recent(now int64, do func(f *Finding)) {
	for _, f := range c.book.list {
		if f.Severity > Note && now >= f.LastTime && now-f.LastTime <= int64(c.Capture.Config.Consequence) {
			do(f)
		}
	}
}

// refused looks for a NAK in a frame of RoCE that is no ACK.
func (c *Conn) refused(v *dissect.FrameView) {
	if len(c.book.list) == 0 {
		return
	}
	s := v.IB.Syndrome()
	if !s.IsNAK() && !s.IsRNR() || s == rocev2.NAKPSNSequenceError {
		return // that one follows a loss, and nothing else
	}
	ref := Ref(v)
	now := nak{v.Verdict.From, s, v.IB.PSN}
	c.recent(v.Frame.Time, func(f *Finding) {
		if f.Frame == ref || !f.HasFrom || f.From == v.Verdict.From || len(f.Consequences) >= mostConsequences {
			return
		}
		if c.nak != now || c.nakText == "" {
			c.nak, c.nakText = now, fmt.Sprintf("the %s answered with %s (PSN %d)", c.Sender(v.Verdict.From), s, v.IB.PSN)
		}
		f.follow(ref, v.Frame.Time, c.nakText)
	})
}

// A nak is what an end answered to a PSN. A receiver that is not ready says the same
// over and over.
type nak struct {
	from     flow.End
	syndrome rocev2.Syndrome
	psn      uint32
}

// follows reports whether it matters what follows: the first time.
func (s Said) follows() bool { return s.Finding.Count == 1 }

// outcome tells how an RPC ended of which something was said.
func (c *Conn) outcome(r *dissect.RPC, said []Said) {
	m := r.Reply
	if m == nil || r.Call == nil || !slices.ContainsFunc(said, Said.follows) {
		return
	}
	text := ""
	h := r.ReplyHeader()
	switch {
	case m.Header.Proc == rpcrdma.RDMAError:
		text = "the call was answered with RDMA_ERROR " + m.Header.ErrorName()
	case h == nil:
		return
	case h.Denied || h.Accept != rpc.Success:
		text = "the call was answered with " + h.Status()
	default:
		status, ok := r.Status()
		if ok || status == "" {
			return
		}
		text = "the call was answered with " + status
	}
	for _, s := range said {
		if f := s.Finding; s.follows() && f.Frame != m.Frame() && f.XID == r.XID {
			f.follow(m.Frame(), m.Last, text)
		}
	}
}

// ended tells of the end of the connection.
func (c *Conn) ended() {
	text := ""
	switch c.Closing {
	case flow.Terminated:
		text = fmt.Sprintf("the %s ended the connection with a Terminate: %v", c.Sender(c.TerminatedBy), c.Termination)
	case flow.Reset:
		text = "the connection was reset"
	case flow.Disconnected:
		if c.Unanswered[c.ClientEnd] == 0 {
			return // as every connection is at some time
		}
		text = "the connection was closed"
	default:
		return
	}
	if open := c.Unanswered[c.ClientEnd]; open > 0 {
		text += fmt.Sprintf(" with %d calls unanswered", open)
	}
	c.recent(c.LastTime, func(f *Finding) {
		if f.Frame != c.Last {
			f.follow(c.Last, c.LastTime, text)
		}
	})
}
