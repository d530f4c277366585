package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

// mostRequests is how many requests of a connection are remembered.
const mostRequests = 256

// A request is a message of version 2 that may be answered by an error: anything that
// is no answer itself. Those of other versions than 1 count too.
type request struct {
	rules.PastMessage
	// proc and option are rdma_proc and rdma_opttype.
	proc   rpcrdma.Proc
	option rpcrdma.OptionType
	// needs is the error that it has to get, 0 if it may get a reply; carries says
	// that an RPC message is in it, partial that not all of it was captured, so that what
	// it needs is not known.
	needs            rpcrdma.ErrorCode
	carries, partial bool
	// answered says that it got a reply or an error.
	answered bool
}

// pastRequests are those of a connection that speaks version 2. What is forgotten makes the
// rules silent.
//
// They are messages, and not the calls that the History of the connection has: an
// RDMA2_OPTIONAL, and a header that cannot be decoded, may be answered by an error too. Which
// error that has to be depends on bytes of which nothing is left later, so the History would
// have to remember, of each call and of each message in no RPC, rdma_opttype, where decoding
// failed, and how long the message was.
type pastRequests struct {
	c    *rules.Conn
	list rules.Ring[request]
	// seen counts the messages, of which partial says that some were cut: nobody knows
	// what they answer.
	seen    int64
	partial bool
	// asked is the request that the message answers of which the rules are being
	// told, nil if it answers none.
	asked *request
	// newest is the latest request of each end that was answered.
	newest [2]flow.Ref
}

// requestsSlot is where each connection keeps it.
const requestsSlot = rules.ConnSlot[pastRequests](rules.KeepsV2Requests)

// knownRequests is the Knowledge of the requests of version 2.
func knownRequests() rules.Knowledge {
	return rules.Knowledge{Keeping: rules.KeepsV2Requests, On: []rules.Event{
		rules.OnMessage(rules.OtherVersion, func(c *rules.Conn, m *dissect.Message, _ rules.Reporter) { requestsOf(c).message(m) }),
	}}
}

// requestsOf are those of a connection, for rules that need knownRequests.
func requestsOf(c *rules.Conn) *pastRequests {
	b := requestsSlot.Of(c)
	b.c = c
	return b
}

func (b *pastRequests) message(m *dissect.Message) {
	h := &m.Header
	if b.asked = nil; h.Version == rpcrdma.Version1 {
		return
	}
	b.seen++
	b.partial = b.partial || !m.Whole
	if h.Length < rpcrdma.FixedSize {
		return
	}
	if m.Answer || h.Proc == rpcrdma.RDMAError || m.Optional() != nil {
		if b.asked = b.findRequest(m.From.Peer(), h.XID); b.asked != nil {
			b.asked.answered = true
			if end := &b.newest[b.asked.From&1]; end.Compare(b.asked.Ref) < 0 {
				*end = b.asked.Ref
			}
		}
		if h.Option() == nil {
			return
		}
	}
	r := b.list.Add(mostRequests)
	*r = request{PastMessage: rules.Past(m), proc: h.Proc, needs: needs(m), partial: !m.Whole, carries: m.Role() == dissect.RoleCall}
	if o := h.Option(); o != nil {
		r.option = o.Type
		r.carries = r.carries || m.Length > h.Length
	}
}

// needs is the error that a message has to get (section 5.2.4), 0 if none, or if it is
// too short for any answer.
func needs(m *dissect.Message) rpcrdma.ErrorCode {
	h := &m.Header
	switch {
	case !spoken(m) || !m.Whole || m.Answer || h.Proc == rpcrdma.RDMAError:
		return 0
	case h.Fault.Bad() && h.Fault.Offset == rpcrdma.AtProc:
		return rpcrdma.Err2InvalidProc
	case lists(m) && m.Length < leastLists, h.Proc == rpcrdma.RDMA2Optional && m.Length < leastOptional:
		return 0
	case h.Fault.Bad():
		return rpcrdma.Err2BadXDR
	case h.Option() != nil && !h.Option().Known():
		return rpcrdma.Err2InvalidOption
	}
	return 0
}

// findRequest is the newest request of an end with an XID, nil if none is remembered.
func (b *pastRequests) findRequest(from flow.End, xid uint32) *request {
	for r := range b.list.Backward() {
		if r.XID == xid && r.From == from {
			return r
		}
	}
	return nil
}

// asks reports whether an end made any request.
func (b *pastRequests) asks(end flow.End) bool {
	for r := range b.list.All() {
		if r.From == end {
			return true
		}
	}
	return false
}

// complete reports whether every message of the connection that was captured and may be
// answered is remembered, so that one which is not there was not sent, or is missing.
func (b *pastRequests) complete() bool {
	return !b.list.Forgot() && b.c.Messages == b.seen && (b.c.Established || b.c.BeganLate()) && !b.c.Limited(rules.AnyCut, b.partial) &&
		b.c.Recognised()
}

// whole reports whether no message of the connection is cut or out of order so far, from its
// setup on or for long, and none that an end sent since a frame is missing.
func (b *pastRequests) whole(e flow.End, since flow.Ref) bool {
	c := b.c
	return !c.Limited(rules.AnyCut, b.partial) && (c.Established || c.BeganLate()) && !c.JustBegun(since) && !c.OneDirection() && !c.Disordered() && !c.LostOf(e, since)
}

// proven reports whether the capture has all frames of a connection so far, in their
// order.
func proven(c *rules.Conn) bool {
	return c.Established && c.AllCaptured()
}

// speaks2 reports whether both ends are known to speak version 2.
func speaks2(c *rules.Conn) bool {
	n, ok := c.Negotiation()
	return ok && n.Agreed == rpcrdma.Version2
}

// pastWord is what is to be remembered of a message whose word at an offset shows it.
func pastWord(m *dissect.Message, offset int) rules.PastMessage {
	return rules.PastPart(m, offset, xdr.WordSize)
}

// before reports whether a message was captured before another.
func before(p *rules.PastMessage, m *dissect.Message) bool {
	return p.Seen() && p.Ref.Compare(m.Frame()) < 0
}

// wordAt is where a word of a Send lies, if it lies in one frame.
func wordAt(m *dissect.Message, offset int) (p flow.Place) {
	var places [2]flow.Place
	if list := m.Place(places[:0], offset, xdr.WordSize); len(list) == 1 {
		p = list[0]
	}
	return p
}
