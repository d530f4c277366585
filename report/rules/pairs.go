package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
)

// WentOn reports whether a message that an end sent after a frame was told. Then
// nothing that the end sent before is missing, unless LostSince says so: until then a
// loss may not have shown.
func (c *Conn) WentOn(e flow.End, since flow.Moment) bool {
	return !c.Limited(NothingFollows.From(c.party(e)), !c.wentOn(e, since))
}

func (c *Conn) wentOn(e flow.End, since flow.Moment) bool { return since.Before(c.order.newestOf[e&1]) }

// Paired reports whether the reply of an RPC surely answers its call. It may answer
// another one with that XID: a former one that was left without an answer, or, if the
// reply was captured before the call, one that is missing.
func (c *Conn) Paired(r *dissect.RPC) bool { return !c.Limited(Unpaired, !c.paired(r)) }

func (c *Conn) paired(r *dissect.RPC) bool {
	if c.History().LeftUnanswered(r) != nil {
		return false
	}
	if r.Call == nil || r.Reply == nil {
		return r.Call != nil
	}
	call, reply := r.Call.Frame(), r.Reply.Frame()
	return call.File == reply.File && call.Number < reply.Number || !c.Connection.BeganLate() && !c.Connection.Lossy()
}

// Guessed reports whether a message counts as a call only since it answers none that
// is known: it does not say itself what it is.
func Guessed(m *dissect.Message) bool {
	h := &m.Header
	if m.Role() != dissect.RoleCall {
		return false
	}
	if h.Proc == rpcrdma.RDMANoMsg && !h.Fault.Bad() {
		_, long := h.PositionZero()
		return !long
	}
	return h.Fault.Bad()
}

// Called reports whether what counts as the call of an RPC surely is one. If it does
// not say so itself, it may be a client's answer to a reverse call that is missing; a
// server's long message that nobody read may be a reply that is where it must not be.
func (c *Conn) Called(r *dissect.RPC) bool { return !c.Limited(Uncalled, !c.called(r)) }

// LikelyCalled is Called where frames of the other end may be missing far from there: then it
// is in doubt. So it is where only what a client sends was captured, and no answer to a call of the
// server is there.
func (c *Conn) LikelyCalled(r *dissect.RPC) (doubt string, ok bool) {
	m, peer := r.Call, r.Requester.Peer()
	if m == nil || c.Called(r) {
		return "", m != nil
	}
	late := c.BeganLate()
	if Guessed(m) && c.ClientAlone(m.From) && !c.disordered() {
		return finding.DoubtOneWay, true
	}
	if !Guessed(m) || c.JustBegun(m.Frame()) || c.disordered() || c.OneWay() || c.LostNear(peer, m.Frame()) && !c.Accounted(peer, 1) || !c.wentOn(peer, m.Moment()) {
		return "", false
	}
	if late {
		return finding.DoubtLate, true
	}
	return finding.DoubtLoss, true
}

// ClientAlone reports whether only the direction of an end was captured, and that is a client which sent
// calls and no answer to any: as far as the capture shows, the server calls nothing.
func (c *Conn) ClientAlone(e flow.End) bool {
	return c.OneDirection() && c.RolesKnown && e == c.ClientEnd && !c.order.answered[e&1]
}

func (c *Conn) called(r *dissect.RPC) bool {
	switch m := r.Call; {
	case m == nil:
		return false
	case m.Transfer == dissect.Long && !m.HasRPC && !c.ToServer(m.From):
		return false
	case !Guessed(m):
		return true
	}
	m := r.Call
	return !c.Connection.BeganLate() && !c.disordered() && !c.OneWay() && c.SendHolesOf(r.Requester.Peer()) == 0 && !c.GapOf(r.Requester.Peer()) && c.wentOn(r.Requester.Peer(), m.Moment())
}
