package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A book has what the rules about versions and errors need beside the RPCs. Its
// memory is bounded; what it forgets makes the rules silent.
type book struct {
	c *rules.Conn
	// partial says that a message was not captured whole.
	partial bool
	// settled is the version in which a call was answered.
	settled uint32
	// odd are told of a message that may be of another version than those before it,
	// or answers one that is: nearly none is.
	odd []func(m *dissect.Message)
}

// Hooks enters what is told of the connection.
func (b *book) Hooks(c *rules.Conn) rules.Hooks {
	b.c = c
	return rules.Hooks{Message: b.message}
}

func (b *book) message(m *dissect.Message) {
	b.partial = b.partial || !m.Whole
	r := m.RPC()
	b.version(m, r != nil && r.Reply == m && r.Call != nil)
}

// version settles the version of the connection, where nothing is odd.
func (b *book) version(m *dissect.Message, answered bool) {
	h := &m.Header
	if h.Version != rpcrdma.Version1 || b.settled > rpcrdma.Version1 || m.Request() != nil || answered && m.RPC().Call.Header.Version != h.Version {
		for _, tell := range b.odd {
			tell(m)
		}
	} else if answered && h.Proc != rpcrdma.RDMAError {
		b.settled = h.Version
	}
}

// answers reports whether a message was found to answer one that is in no RPC.
func (b *book) answers(m *dissect.Message) bool {
	return b.c.History().AnswersUnpaired(m.From, m.Header.XID, m.Frame())
}

// waits reports whether a call of an end with an XID waits for its answer, or was over
// without one.
func (b *book) waits(requester flow.End, xid uint32) bool {
	if requester != b.c.ClientEnd && b.c.Waits(requester, xid) {
		return true
	}
	e := b.c.History().Latest(requester, xid)
	return e != nil && e.Outcome == dissect.Unanswered
}

// complete reports whether the capture has every message that could be what an answer
// answers, and none was forgotten, so that a call which is not there was not sent.
func (b *book) complete(answer *dissect.Message) bool {
	return b.c.History().Complete() && !b.partial && b.whole() && b.wentOn(answer)
}

// whole reports whether nothing of the connection is missing or out of order so far,
// from its set-up on.
func (b *book) whole() bool {
	return !b.c.BeganLate() && !b.c.Disordered() && b.c.Whole(b.c.First)
}

// wentOn reports whether the peer of an answer's sender went on behind it, so that it
// shows whether a call is missing.
func (b *book) wentOn(answer *dissect.Message) bool {
	return b.c.WentOn(answer.From.Peer(), answer.Frame(), answer.Last)
}

// fromRequester reports whether an RDMA_ERROR that answers no call was sent by an
// end as if to its own: by a client that nobody called, or with the XID of a call
// of the sender's own.
func (b *book) fromRequester(m *dissect.Message) bool {
	if m.From == b.c.ClientEnd {
		return b.c.RolesKnown
	}
	return b.c.Waits(m.From, m.Header.XID) || b.c.History().Latest(m.From, m.Header.XID) != nil
}
