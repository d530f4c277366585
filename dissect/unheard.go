package dissect

import "github.com/rdmacap/rdmacap/dissect/flow"

// Unheard says why a reply that is in the capture is no answer: its receiver did not take it
// (RFC 8166, section 4.5.5), and the call stays open.
type Unheard uint8

const (
	Heard     Unheard = iota // nothing says that it was not taken
	Refused                  // its receiver refused it, by a fatal NAK (IBA 9.7.5.2.8) or a Terminate (RFC 5040, section 4.8)
	Abandoned                // it was retransmitted until the connection ended, and never acknowledged
)

// String is the word of the JSON contract.
func (u Unheard) String() string { return [...]string{"heard", "refused", "abandoned"}[u] }

// Unreplied reports whether the capture has no reply at all, not even one that was not taken.
func (r *RPC) Unreplied() bool { return r.Reply == nil && r.Untaken == nil }

// weighReply notes, when the RPC is to be told, whether its reply was taken.
func (r *RPC) weighReply() {
	c := r.Connection
	switch {
	case r.Reply == nil:
		return
	case c.refused(r.Reply.Point):
		r.Unheard, r.Missing = Refused, "the "+c.nameOf(r.Requester)+" refused its reply"
		c.RefusedReplies++
	case r.resentReply && c.ended() && !c.gapped() && c.Delivery(r.Reply.Point) == flow.Underway:
		r.Unheard, r.Missing = Abandoned, "its reply was retransmitted until the connection ended, and never acknowledged"
	default:
		return
	}
	r.Complete = false
	r.Untaken, r.Reply = r.Reply, nil
}

// refused reports whether a message was refused. A NAK may name what was acknowledged before:
// asked for what comes after the message's first packets, its point does not have the PSN.
func (c *Connection) refused(p flow.Point) bool {
	if c.NAKs == 0 && c.Termination == nil || c.Delivery(p) != flow.Refused {
		return false
	}
	if c.IWARP() {
		return true
	}
	p.First = p.Last + 1
	return c.Delivery(p) != flow.Acknowledged
}

// terminated counts the RPCs that were told as answered, since TCP had acknowledged the reply, before
// a Terminate named it.
func (h *History) terminated(c *flow.Conn) (n uint32) {
	if c.Termination == nil {
		return 0
	}
	msn, ok := c.Termination.SendMSN()
	for e := range h.answered.ring.All() {
		if ok && e.numbered && e.msn == msn && e.Requester == c.TerminatedBy {
			n++
		}
	}
	return n
}

// ended reports whether the connection ended, as far as the capture shows.
func (c *Connection) ended() bool {
	switch c.Closing {
	case flow.Disconnected, flow.Terminated, flow.Reset, flow.Replaced:
		return true
	}
	return false
}

// nameOf is what an end is called.
func (c *Connection) nameOf(e flow.End) string {
	switch {
	case !c.RolesKnown:
		return "requester"
	case e == c.ClientEnd:
		return "client"
	}
	return "server"
}

// replyResent notes that a frame of the replies' sender was retransmitted, for those that are
// not acknowledged: over TCP the oldest of them is what is sent again.
func (c *Connection) replyResent(v *FrameView, request bool) {
	r := c.held
	for range c.holds {
		if r = r.timing.next; r.Requester != v.Verdict.From && (v.IB == nil || request && r.Reply.Point.Has(v.IB.PSN)) {
			r.resentReply = true
		}
	}
}
