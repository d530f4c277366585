package sym

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

// has reports whether the responder of a call without a reply is shown to have had it by now: it acknowledged
// it, and the capture has all that it read of it, and nothing of a reply.
func has(r *dissect.RPC) bool {
	_, all := r.Offer.Pulled()
	return r.Call != nil && r.Reply == nil && r.Acknowledged() && all && r.Offer.WriteBytes == 0
}

// served reports whether it was the responder's turn nearly all the time, as far as the capture shows: it had an RPC, and
// all that it asked for, and nobody sent anything again.
func (s *stall) served(r *dissect.RPC) bool {
	if s.again[0] || s.again[1] {
		return false
	}
	if r.Reply == nil {
		return slices.Contains(s.had, r.XID)
	}
	parts, ok := r.Parts()
	if !ok {
		return false
	}
	ns, _ := parts.Of(dissect.PhaseServer)
	return ns >= s.length()/10*9
}

// silent reports whether the responder is shown to have sent nothing meanwhile. An answer that is lost before the
// capture, and comes later since it is retransmitted, looks the same as one that is late; but where another message comes
// later, with no hole before it, nothing was lost.
func (s *stall) silent(c *rules.Conn, r *dissect.RPC) bool {
	if r.Reply == nil {
		e := r.Requester.Peer()
		return c.Spoke(e) > s.from.Time && c.LastSeen(e).Again <= s.from.Time && r.Offer.ReadBytes == 0
	}
	parts, _ := r.Parts()
	return !parts.OrLostReply
}

// turn says what the frames show where it was the responder's turn.
func (s *stall) turn(c *rules.Conn, r *dissect.RPC) string {
	text := "the " + c.Sender(r.Requester.Peer()) + " had acknowledged it and did not answer"
	if !s.silent(c, r) {
		text += ", or frames between it and the capture were lost"
	}
	if s.ended {
		text += "; then the connection ended"
	}
	return text
}
