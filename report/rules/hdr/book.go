package hdr

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

const (
	// mostStrangers is how many strangers are remembered on a connection.
	mostStrangers = 64
	// mostOver is how many calls that are over are remembered.
	mostOver = 256
	// mostReverse is how many reverse calls may be open; RFC 8167 peers grant few.
	mostReverse = 64
)

// A stranger is a message of a version that is not decoded. No RPC is made of it,
// so that what answers it is looked for here.
type stranger struct {
	from         flow.End
	xid, version uint32
	frame        flow.Ref
	time         int64
	answer       flow.Ref // the zero Ref while there is none
	failed       bool     // the answer is an RDMA_ERROR
}

// An ended is a call that is over.
type ended struct {
	requester flow.End
	xid       uint32
	call      flow.Ref
	answer    flow.Ref // the zero Ref if there is none
	failed    bool     // the answer is an RDMA_ERROR
	early     bool     // the answer was told before the call, and may be that to another
}

// endedOf is the call of an RPC, which has an answer.
func endedOf(r *dissect.RPC, answer *dissect.Message) ended {
	return ended{
		requester: r.Requester, xid: r.XID, call: r.Call.Frame(),
		answer: answer.Frame(), failed: answer.Header.Proc == rpcrdma.RDMAError,
	}
}

// answered reports whether the call got an answer.
func (e *ended) answered() bool { return e.answer != flow.Ref{} }

// A book has what the rules about versions and errors need beside the RPCs. Its
// memory is bounded; what it forgets makes the rules silent.
type book struct {
	c *rules.Conn
	// asked is the stranger that the message answers of which the rules are being
	// told, nil if it answers none.
	asked *stranger
	// strange is how many strangers there were.
	strange   int
	strangers []stranger // a ring
	over      rules.Ring[ended]
	reverse   []uint32 // XIDs of the reverse calls that are open
	// newest is the latest of the calls of each end that were answered.
	newest [2]flow.Ref
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
	return rules.Hooks{Message: b.message, RPC: b.ended}
}

func (b *book) message(m *dissect.Message) {
	b.asked = nil
	b.partial = b.partial || !m.Whole
	r := m.RPC()
	switch {
	case r != nil && r.Call == m:
		if r.Reverse() && len(b.reverse) < mostReverse {
			b.reverse = append(b.reverse, r.XID)
		}
	case r != nil && r.Call != nil:
		if at := r.Call.Frame(); b.newest[r.Requester].Compare(at) < 0 {
			b.newest[r.Requester] = at
		}
		b.end(endedOf(r, m))
	case b.strange > 0 && fixed(m):
		b.asked = b.find(m.From.Peer(), m.Header.XID)
	}
	if b.asked != nil {
		b.asked.answer, b.asked.failed = m.Frame(), m.Header.Proc == rpcrdma.RDMAError
	} else if r == nil && fixed(m) && m.Header.Version != rpcrdma.Version1 && m.Header.Proc != rpcrdma.RDMAError && !b.mayAnswer(m) {
		b.meet(stranger{from: m.From, xid: m.Header.XID, version: m.Header.Version, frame: m.Frame(), time: m.Last})
	}
	b.version(m, r != nil && r.Reply == m && r.Call != nil)
}

// version settles the version of the connection, where nothing is odd.
func (b *book) version(m *dissect.Message, answered bool) {
	h := &m.Header
	if h.Version != rpcrdma.Version1 || b.settled > rpcrdma.Version1 || b.asked != nil || answered && m.RPC().Call.Header.Version != h.Version {
		for _, tell := range b.odd {
			tell(m)
		}
	} else if answered && h.Proc != rpcrdma.RDMAError {
		b.settled = h.Version
	}
}

// find is the stranger that an end sent with an XID and that has no answer.
func (b *book) find(from flow.End, xid uint32) *stranger {
	for i := range b.strangers {
		if s := &b.strangers[i]; s.xid == xid && s.from == from && s.answer == (flow.Ref{}) {
			return s
		}
	}
	return nil
}

// answers reports whether a message was found to answer a stranger.
func (b *book) answers(m *dissect.Message) bool {
	at := m.Frame()
	return slices.ContainsFunc(b.strangers, func(s stranger) bool {
		return s.answer == at && s.xid == m.Header.XID && s.from != m.From
	})
}

func (b *book) meet(s stranger) {
	if len(b.strangers) < mostStrangers {
		b.strangers = append(b.strangers, s)
	} else {
		b.strangers[b.strange%mostStrangers] = s
	}
	b.strange++
}

func (b *book) ended(r *dissect.RPC) {
	if r.Call == nil {
		return
	}
	if m := r.Reply; m == nil {
		b.end(ended{requester: r.Requester, xid: r.XID, call: r.Call.Frame()})
	} else if !b.has(r.XID, m.Frame()) {
		e := endedOf(r, m)
		e.early = true
		b.end(e)
	}
	if len(b.reverse) > 0 && r.Reverse() {
		if i := slices.Index(b.reverse, r.XID); i >= 0 {
			b.reverse = slices.Delete(b.reverse, i, i+1)
		}
	}
}

func (b *book) end(e ended) { *b.over.Add(mostOver) = e }

// has reports whether a call with that answer is remembered. It is most often the
// newest.
func (b *book) has(xid uint32, answer flow.Ref) bool {
	for e := range b.over.Backward() {
		if e.answer == answer && e.xid == xid {
			return true
		}
	}
	return false
}

// mayAnswer reports whether a message of a client has the XID of a reverse call that
// is open.
func (b *book) mayAnswer(m *dissect.Message) bool {
	return len(b.reverse) > 0 && m.From == b.c.ClientEnd && slices.Contains(b.reverse, m.Header.XID)
}

// before is the latest call of an end with an XID that is over, nil if none is
// remembered.
func (b *book) before(requester flow.End, xid uint32) *ended {
	for e := range b.over.Backward() {
		if e.xid == xid && e.requester == requester {
			return e
		}
	}
	return nil
}

// complete reports whether the capture has every message that could be what an answer
// answers, and none was forgotten, so that a call which is not there was not sent.
func (b *book) complete(answer *dissect.Message) bool {
	forgotten := b.c.Unanswered[0]+b.c.Unanswered[1] > mostOver
	return !forgotten && !b.partial && b.whole() && b.wentOn(answer)
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
	return slices.Contains(b.reverse, m.Header.XID) || b.before(m.From, m.Header.XID) != nil
}
