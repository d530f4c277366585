package sym

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// hanging is a stall that lasts, and that somebody heard of who watches live: what came of it is a finding when it
// is over.
type hanging struct{ from flow.Moment } // the last frame before it

// call001 has time looked at while calls are open, if somebody watches.
func call001(c *rules.Conn, _ *dissect.Message, _ rules.Reporter) {
	if c.Capture.Watched() {
		c.Remind()
	}
}

// tick001 looks whether anything hangs, or goes on again.
func tick001(c *rules.Conn, now int64, report rules.Reporter) {
	if !c.Capture.Watched() {
		return
	}
	k, from := state.Of(c), newest(c)
	if h := k.hanging; h != nil && (from != h.from || c.Closing != flow.Open) {
		if k.hanging = nil; c.Closing == flow.Open {
			report.Ongoing(from, nil, now, fmt.Sprintf("the connection continues, where there had been no progress after frame %s", c.Capture.FrameName(h.from.Ref)))
		}
	}
	if c.Closing != flow.Open || c.Outstanding(0)+c.Outstanding(1) <= 0 {
		return
	}
	c.Remind()
	if k.hanging != nil || from.Time == 0 || now-from.Time <= c.Capture.Config.StallLimit() ||
		c.OneDirection() || c.Disordered() || c.LostSince(from.Ref) {
		return
	}
	s := stall{from: from, to: flow.Moment{Ref: from.Ref, Time: now}}
	s.wait(c)
	if s.open == 0 {
		return
	}
	k.hanging = &hanging{from}
	var oldest *dissect.RPC
	c.EachOpen(func(r *dissect.RPC) {
		if oldest == nil && isOpen(c, r) {
			oldest = r
		}
	})
	report.Ongoing(from, oldest, now, fmt.Sprintf("there has been no progress for %s, and %s; %s", rules.Duration(s.length()), openCalls(oldest, s.open), soFar(c, &s, oldest)))
}

// openCalls says which calls are open.
func openCalls(r *dissect.RPC, n int) string {
	name := "a call"
	if r.CallHeader() != nil {
		name = string(r.AppendName(nil, r.Ops(nil)))
	}
	text := fmt.Sprintf("%s 0x%08x is open", name, r.XID)
	if n > 1 {
		text = fmt.Sprintf("%d calls are open, the oldest %s 0x%08x", n, name, r.XID)
	}
	return text
}

// soFar says what the frames show of the oldest open call.
func soFar(c *rules.Conn, s *stall, r *dissect.RPC) string {
	for e := range s.again {
		if end := flow.End(e); c.LastSeen(end).Again > s.from.Time {
			return fmt.Sprintf("the %s retransmitted frames, and nothing has acknowledged them", c.Sender(end))
		}
	}
	responder := c.Sender(r.Requester.Peer())
	if has(r) {
		return fmt.Sprintf("the %s has acknowledged it, but the capture has no answer yet", responder)
	}
	return fmt.Sprintf("the capture has no answer from the %s yet", responder)
}
