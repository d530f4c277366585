package dissect

import (
	"math"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// WhyNotTaken says why a reply that is in the capture is no answer: its receiver did not take it
// (RFC 8166, section 4.5.5), and the call stays open.
type WhyNotTaken uint8

const (
	NotKnownUntaken WhyNotTaken = iota // nothing says that it was not taken
	Refused                            // its receiver refused it, by a fatal NAK (IBA 9.7.5.2.8) or a Terminate (RFC 5040, section 4.8)
	Abandoned                          // it was retransmitted until the connection ended, or follows a refused one, and was never acknowledged
)

// String is the word of the JSON contract.
func (u WhyNotTaken) String() string { return [...]string{"heard", "refused", "abandoned"}[u] }

// Unreplied reports whether the capture has no reply at all, not even one that was not taken.
func (r *RPC) Unreplied() bool { return r.Reply == nil && r.Untaken == nil }

// fewTries is how often a reply is retransmitted at least that counts as abandoned: after one, the
// connection may have ended for another reason, and the acknowledgement have been lost.
const fewTries = 2

// refusals count the refused replies by the requester, up to what fits: what comes of the replies of one
// direction reports nothing about those of the other. A refusal ends the connection, so that there are few.
type refusals [2]uint16

func (x *refusals) addRefusals(requester flow.End, n int) {
	x[requester] = uint16(min(int(x[requester])+n, math.MaxUint16))
}

// weighReply notes, when the RPC is to be told, whether its reply was taken.
func (r *RPC) weighReply() {
	c := r.Connection
	switch {
	case r.Reply == nil:
		return
	case c.refused(r.Reply.Point):
		r.WhyNotTaken, r.Missing = Refused, "the "+c.nameOf(r.Requester)+" refused its reply"
		c.refusals.addRefusals(r.Requester, 1)
	case c.IWARP() || !c.ended() || c.gapped() || c.Delivery(r.Reply.Point) != flow.Underway:
		return
	case c.refusals[r.Requester] > 0:
		r.WhyNotTaken, r.Missing = Abandoned, "its reply follows one that the "+c.nameOf(r.Requester)+" refused, which ended the connection"
	case r.tries >= fewTries && c.pace.newest[r.Requester] < r.triedAt && c.pace.newest[r.Reply.From] < r.triedAt:
		r.WhyNotTaken, r.Missing = Abandoned, "its reply was retransmitted until the connection ended, and never acknowledged"
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
func (h *History) terminated(c *flow.Conn) (n int) {
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
	case flow.Disconnected, flow.Terminated, flow.Reset:
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

// replyResent notes that a request of the replies' sender was retransmitted, for the one that is
// not acknowledged and has it. Over iWARP a segment does not say of which message it is.
func (c *Connection) replyResent(v *FrameView, request bool) {
	if v.IB == nil || !request {
		return
	}
	r := c.held
	for range c.holds {
		if r = r.timing.next; r.Requester != v.Verdict.From && r.Reply.Point.Has(v.IB.PSN) {
			r.tries, r.triedAt = min(r.tries+1, fewTries), v.Time
		}
	}
}
