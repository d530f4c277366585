package dissect

import (
	"iter"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/ring"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

const (
	// maxCalls is how many calls that were answered a connection remembers, and how
	// many that are over without an answer.
	maxCalls = 256
	// maxUnpaired is how many UnpairedMessages it remembers.
	maxUnpaired = 64
)

// An Outcome says how a call was answered.
type Outcome uint8

const (
	Unanswered Outcome = iota // its RPC is over without an answer
	Replied                   // by a reply
	Failed                    // by an RDMA_ERROR
)

// A PastCall is what a connection remembers of a call that was answered, or whose RPC
// is over without an answer.
type PastCall struct {
	XID       uint32
	Requester flow.End
	Outcome   Outcome
	// Ended is why there is no answer, if there is none.
	Ended Ended
	// Early says that a Sink received the answer before the call, so that it may
	// be that to another call with the XID.
	Early bool
	older uint16 // 1 + the place of the former one with the same hash, 0 for none
	// HasRPC says that the RPC header of the call was read: Program, Version and
	// Procedure are of it.
	HasRPC                      bool
	Program, Version, Procedure uint32
	// Transport is the version of the call's transport header, Proc its rdma_proc.
	Transport uint32
	Proc      rpcrdma.Proc
	// Call is the last frame of the call, captured at CallTime; Answer that of the
	// answer, the zero Ref if there is none. Times are in nanoseconds since 1970.
	Call, Answer         flow.Ref
	CallTime, AnswerTime int64
	// RPC is which of the connection's RPCs it is, counted from 1 in the order in
	// which the Sink receives them; 0 while parts of an answered one may still come.
	RPC int64

	order int64 // among the PastCalls of the connection, from 1 on
	// msn is over iWARP that of the Send of an answer that a Sink received, if numbered.
	msn      uint32
	numbered bool
}

// Ended says why the RPC of a call is over without an answer.
type Ended uint8

const (
	EndedByXID        Ended = iota // the XID serves a new call
	EndedByBounds                  // the Dissector gave it up to stay within its bounds
	EndedByConnection              // the connection ended, or the capture
)

// A History is what a Connection remembers of calls that are no longer open, and of
// messages of which no RPC is made. What it forgets is the oldest.
type History struct {
	answered, unanswered pastCalls
	unpaired             ring.Ring[UnpairedMessage]
	calls                int64       // that were remembered
	answeredCall         [2]flow.Ref // see AnsweredCall
	firstAnswer          flow.Ref    // see FirstAnswer
}

// pastCalls are the newest of one kind, found by XID.
type pastCalls struct {
	ring  ring.Ring[PastCall]
	heads []uint16 // by the hash: 1 + the place of the newest with it, 0 for none
}

// hashBits is the size of the index, as a power of two. A chain of calls with the same
// hash has 4 on average when the ring is full.
const hashBits = 6

// hash is that of an XID, which clients may count in any byte.
func hash(xid uint32) uint32 {
	const spread = 0x9e3779b1 // 2^32 divided by the golden ratio
	return xid * spread >> (32 - hashBits)
}

// addCall returns room for a call.
func (p *pastCalls) addCall(xid uint32, order int64) *PastCall {
	if p.heads == nil {
		p.heads = make([]uint16, 1<<hashBits)
	}
	place := p.ring.Next(maxCalls)
	head := &p.heads[hash(xid)]
	e := p.ring.Add(maxCalls)
	*e = PastCall{}
	e.XID, e.order, e.older = xid, order, *head
	*head = uint16(place + 1)
	return e
}

// newest is the newest call with an XID of a requester, nil if there is none.
func (p *pastCalls) newest(requester flow.End, xid uint32) *PastCall {
	if p.heads == nil {
		return nil
	}
	h := hash(xid)
	if p.heads[h] == 0 {
		return nil
	}
	e := p.ring.At(int(p.heads[h]) - 1)
	if hash(e.XID) != h {
		return nil // its place was used again, and so are those of all before it
	}
	if e.XID == xid && e.Requester == requester {
		return e
	}
	return p.before(e, requester, xid)
}

// before is the newest one before e, which has the same hash.
func (p *pastCalls) before(e *PastCall, requester flow.End, xid uint32) *PastCall {
	for e.older != 0 {
		o := p.ring.At(int(e.older) - 1)
		if o.order >= e.order {
			return nil // its place was used again
		}
		if o.XID == xid && o.Requester == requester {
			return o
		}
		e = o
	}
	return nil
}

// latest is the newest call with an XID of a requester of which the Sink was told and
// whose order is not that of except.
func (p *pastCalls) latest(requester flow.End, xid uint32, except int64) *PastCall {
	e := p.newest(requester, xid)
	for e != nil && (e.RPC == 0 || e.order == except) {
		e = p.before(e, requester, xid)
	}
	return e
}

// History is what the connection remembers of calls that are no longer open.
func (c *Connection) History() *History { return &c.history }

// Latest is the call of a requester with an XID that is over, the latest of several,
// nil if none is remembered. It is valid until the next event.
func (h *History) Latest(requester flow.End, xid uint32) *PastCall {
	return h.latest(requester, xid, 0)
}

// Before is the latest call with the requester and XID of an RPC that is over, without
// that RPC itself; nil if none is remembered.
func (h *History) Before(r *RPC) *PastCall { return h.latest(r.Requester, r.XID, r.past) }

func (h *History) latest(requester flow.End, xid uint32, except int64) *PastCall {
	a, u := h.answered.latest(requester, xid, except), h.unanswered.latest(requester, xid, except)
	if a == nil || u != nil && u.order > a.order {
		return u
	}
	return a
}

// LeftUnanswered is the latest call with the requester and XID of an RPC that is over
// without an answer, without that RPC itself; nil if none is remembered. What seems to
// be the answer to the RPC may be that to the former call.
func (h *History) LeftUnanswered(r *RPC) *PastCall {
	return h.unanswered.latest(r.Requester, r.XID, r.past)
}

// Unanswered goes over the calls with the requester and XID of an RPC that are over
// without an answer, the latest first, without that RPC itself.
func (h *History) Unanswered(r *RPC) iter.Seq[*PastCall] {
	return func(yield func(*PastCall) bool) {
		for e := h.LeftUnanswered(r); e != nil; e = h.unanswered.before(e, r.Requester, r.XID) {
			if e.order != r.past && !yield(e) {
				return
			}
		}
	}
}

// Complete reports whether every call that is over without an answer is remembered.
func (h *History) Complete() bool { return !h.unanswered.ring.Forgot() }

// AnsweredCall is the last frame of the latest call of an end that was answered, the
// zero Ref if none was. A call that was told after its answer does not count.
func (h *History) AnsweredCall(requester flow.End) flow.Ref { return h.answeredCall[requester&1] }

// FirstAnswer is the frame of the answer of the first RPC with call and answer of
// which the Sink was told, the zero Ref if there is none.
func (h *History) FirstAnswer() flow.Ref { return h.firstAnswer }

// Waits reports whether a call of a requester with an XID is open, or was answered but
// parts of its RPC may still come.
func (c *Connection) Waits(requester flow.End, xid uint32) bool {
	if c.calls[callKey{xid, requester}] != nil {
		return true
	}
	for _, r := range c.late {
		if r.XID == xid && r.Requester == requester && r.Call != nil {
			return true
		}
	}
	return false
}

// past remembers the call of an RPC, with its answer if it has one.
func (h *History) past(r *RPC) *PastCall {
	h.calls++
	p := &h.answered
	if r.Reply == nil {
		p = &h.unanswered
	}
	e := p.addCall(r.XID, h.calls)
	e.Requester = r.Requester
	e.Call, e.CallTime = r.Call.Frame(), r.Call.Last
	e.Transport, e.Proc = r.Call.Header.Version, r.Call.Header.Proc
	if m := r.Reply; m != nil {
		e.Outcome = Replied
		if m.Header.Proc == rpcrdma.RDMAError {
			e.Outcome = Failed
		}
		e.Answer, e.AnswerTime = m.Frame(), m.Last
	}
	r.past, r.pastCall = e.order, e
	e.name(r)
	return e
}

// name notes what an RPC calls, as far as that is known.
func (e *PastCall) name(r *RPC) {
	if x := r.CallHeader(); x != nil {
		e.HasRPC, e.Program, e.Version, e.Procedure = true, x.Program, x.Version, x.Procedure
	}
}

// answer remembers the call of an RPC whose answer was seen after it.
func (h *History) answer(r *RPC) {
	e := h.past(r)
	if end := &h.answeredCall[r.Requester&1]; end.Compare(e.Call) < 0 {
		*end = e.Call
	}
}

// over notes that the Sink receives an RPC, as the one with a number, and if it has
// no answer, why.
func (h *History) over(r *RPC, number int64, why Ended) {
	if r.Call == nil {
		return
	}
	e := r.pastCall
	switch {
	case r.past == 0:
		e = h.past(r)
		e.Ended, e.Early = why, r.Reply != nil
	case e.order != r.past:
		return // it was forgotten
	}
	e.RPC = number
	e.name(r)
	if r.Reply != nil {
		e.msn, e.numbered = r.Reply.Point.Last, r.Reply.Point.Numbered
	}
	if r.Reply != nil && h.firstAnswer == (flow.Ref{}) {
		h.firstAnswer = e.Answer
	}
}
