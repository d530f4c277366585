package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// versions are what the rules about versions and errors know together, beside what the
// History of the connection has.
type versions struct {
	answered uint32 // the version in which a call was answered
}

// versionsSlot is where each connection keeps it.
const versionsSlot = rules.ConnSlot[versions](rules.KeepsHDRVersions)

func versionsOf(c *rules.Conn) *versions { return versionsSlot.Of(c) }

// knownVersions is the Knowledge of that.
func knownVersions() rules.Knowledge {
	return rules.Knowledge{Keeping: rules.KeepsHDRVersions, On: []rules.Event{rules.OnMessage(0, message)}}
}

// An otherVersion message may be of another version than those before it, or answers one that is:
// nearly none is.
type otherVersion dissect.Message

// onOtherVersion calls do for each odd message.
func onOtherVersion(do func(c *rules.Conn, x *otherVersion, report rules.Reporter)) rules.Event {
	return rules.On(0, do)
}

// message settles the version of the connection, where nothing is odd.
func message(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	b, h, r := versionsOf(c), &m.Header, m.RPC()
	answered := r != nil && r.Reply == m && r.Call != nil
	if h.Version != rpcrdma.Version1 || b.answered > rpcrdma.Version1 || m.Request() != nil || answered && r.Call.Header.Version != h.Version {
		rules.Raise(c, 0, (*otherVersion)(m))
	} else if answered && h.Proc != rpcrdma.RDMAError {
		b.answered = h.Version
	}
}

// answers reports whether a message was found to answer one that is in no RPC.
func answers(c *rules.Conn, m *dissect.Message) bool {
	return c.History().AnswersUnpaired(m.From, m.Header.XID, m.Frame())
}

// waits reports whether a call of an end with an XID waits for its answer, or was over
// without one.
func waits(c *rules.Conn, requester flow.End, xid uint32) bool {
	if requester != c.ClientEnd && c.Waits(requester, xid) {
		return true
	}
	e := c.History().Latest(requester, xid)
	return e != nil && e.Outcome == dissect.Unanswered
}

// complete reports whether the capture has every message that could be what an answer
// answers, and none was forgotten, so that a call which is not there was not sent; with
// the doubt that is left where it lacks others.
func complete(c *rules.Conn, answer *dissect.Message) (doubt string, ok bool) {
	if !c.History().Complete() || c.Limited(rules.AnyCut, c.Connection.Cut > 0) || !wentOn(c, answer) {
		return "", false
	}
	return c.Lacking(answer.From.Peer(), answer.Frame(), 1)
}

// wentOn reports whether the peer of an answer's sender went on after it, so that it
// shows whether a call is missing.
func wentOn(c *rules.Conn, answer *dissect.Message) bool {
	return c.WentOn(answer.From.Peer(), answer.Moment())
}

// fromRequester reports whether an RDMA_ERROR that answers no call was sent by an
// end as if to its own: by a client that nobody called, or with the XID of a call
// of the sender's own.
func fromRequester(c *rules.Conn, m *dissect.Message) bool {
	if m.From == c.ClientEnd {
		return c.RolesKnown
	}
	return c.Waits(m.From, m.Header.XID) || c.History().Latest(m.From, m.Header.XID) != nil
}
