package responder

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr"
)

// A slotOf is a slot of a session, which holds one call at a time (RFC 8881, section 2.10.6.1).
type slotOf struct {
	session [16]byte
	slot    uint32
}

// A sequence is what the arguments of a SEQUENCE say.
type sequence struct {
	slotOf
	number, highest uint32
}

func takeSequence(c *xdr.Cursor) (q sequence) {
	copy(q.session[:], c.Fixed(len(q.session)))
	q.number, q.slot, q.highest = c.Uint32(), c.Uint32(), c.Uint32()
	c.Bool() // whether to cache the reply
	return q
}

// sequenceOf is the SEQUENCE that a COMPOUND of NFS 4.1 and later begins with.
func sequenceOf(h *rpc.Call, arguments []byte) (q sequence, is bool) {
	c, _, minor, count, ok := compound(h, arguments)
	if !ok || minor == 0 || count == 0 || c.Uint32() != numbers.OpSequence {
		return q, false
	}
	q = takeSequence(c)
	return q, !c.Bad()
}

// A granted is what the captured server has granted of a session: the number of its last slot,
// and of the last that a client should use. They are known once a reply says them.
type granted struct {
	highest, target uint32
	known           bool
}

// A sessions has the sessions of a capture, and what lone SEQUENCEs were answered with, so that
// one that comes again on the same or another connection gets the same reply.
type sessions struct {
	granted map[[16]byte]granted
	replies map[slotOf]kept
}

// A kept is the reply to the last lone SEQUENCE of a slot.
type kept struct {
	number uint32
	reply  []byte
}

// mostKept bounds how many replies are kept. A slot more than that gets its reply made anew.
const mostKept = 4096

// newSessions finds the sessions of captured calls.
func newSessions(entries []*entry) *sessions {
	s := &sessions{granted: make(map[[16]byte]granted), replies: make(map[slotOf]kept)}
	for _, e := range entries {
		if q, is := sequenceOf(&e.header, e.bytes[min(e.header.Length, len(e.bytes)):]); is {
			if _, known := s.granted[q.session]; !known {
				s.granted[q.session] = granted{}
			}
		}
		if result, _ := e.call.Result(); result != nil && e.header.Program == rpc.ProgramNFS && e.header.Version == nfsVersion4 {
			s.learn(result)
		}
	}
	return s
}

// learn takes what a COMPOUND's reply says of a session with its first operation.
func (s *sessions) learn(reply []byte) {
	var h rpc.Reply
	h.Decode(reply)
	if h.Fault.Bad() || h.Denied || h.Accept != rpc.Success {
		return
	}
	c := xdr.NewCursor(reply[min(h.Length, len(reply)):], "the result ends")
	c.Uint32() // the status of the COMPOUND, which may be that of a later operation
	c.Opaque(mostTag)
	c.Uint32() // how many operations
	op, status := c.Uint32(), c.Uint32()
	if status != 0 {
		return
	}
	var id [16]byte
	copy(id[:], c.Fixed(len(id)))
	g := s.granted[id]
	switch op {
	case numbers.OpSequence:
		c.Skip(8) // sequence number and slot
		g.highest, g.target, g.known = max(g.highest, c.Uint32()), c.Uint32(), true
	case numbers.OpCreateSession:
		c.Skip(8)  // sequence number and flags
		c.Skip(20) // of the fore channel: pad, three sizes, operations
		slots := c.Uint32()
		if slots == 0 {
			return
		}
		g.highest, g.target, g.known = max(g.highest, slots-1), slots-1, true
	default:
		return
	}
	if !c.Bad() {
		s.granted[id] = g
	}
}

// again is the reply to a lone SEQUENCE that was answered before, nil if it was not.
func (s *sessions) again(q sequence) []byte {
	if was, is := s.replies[q.slotOf]; is && was.number == q.number {
		return was.reply
	}
	return nil
}

// keep keeps the reply to a lone SEQUENCE.
func (s *sessions) keep(q sequence, reply []byte) {
	if _, is := s.replies[q.slotOf]; is || len(s.replies) < mostKept {
		s.replies[q.slotOf] = kept{q.number, bytes.Clone(reply)}
	}
}

// answer is the result of a renewal. Last says with what number the slot was used last on this
// connection, if it was.
func (s *sessions) answer(r *renewal, last uint32, used bool) []byte {
	if r.op != numbers.OpSequence {
		return r.result(0, 0, 0)
	}
	g, is := s.granted[r.session]
	switch {
	case !is:
		return r.result(numbers.StatusBadsession, 0, 0)
	case g.known && r.slot > g.highest:
		return r.result(numbers.StatusBadslot, 0, 0)
	case used && r.number-last > 1: // numbers wrap
		return r.result(numbers.StatusSeqMisordered, 0, 0)
	case !g.known: // no reply of the capture says it
		g.highest = max(r.highest, r.slot)
		g.target = g.highest
	}
	return r.result(0, max(g.highest, r.highest), g.target)
}

// renewal reads a call that does nothing but renew a lease, and notes the slot that a call uses. If the
// call was answered before, it returns the same reply, without XID.
func (s *session) renewal(in *incoming) (reply []byte, r *renewal) {
	var h rpc.Call
	h.Decode(in.bytes)
	arguments := in.bytes[min(h.Length, len(in.bytes)):]
	if got, is := renews(&h, arguments); is {
		r = &got
	}
	if r != nil && r.op == numbers.OpSequence {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.sessions.again(r.sequence), r
	}
	if q, is := sequenceOf(&h, arguments); is {
		s.use(q)
	}
	return nil, r
}

// mostNumbers bounds the slots that are remembered of one connection.
const mostNumbers = 4096

func (s *session) use(q sequence) {
	if _, is := s.numbers[q.slotOf]; is || len(s.numbers) < mostNumbers {
		s.numbers[q.slotOf] = q.number
	}
}

// always is the reply, without XID, to NULL and to renewals of a lease, which need no capture. It
// is nil for other calls.
func (s *session) always(in *incoming, live *reading, r *renewal) []byte {
	success := words(1, 0, 0, 0, uint32(rpc.Success))
	if live.header.Procedure == 0 && len(in.bytes) == live.header.Length && !live.header.Fault.Bad() {
		return success
	}
	if r == nil {
		return nil
	}
	last, used := s.numbers[r.slotOf]
	s.mu.Lock()
	reply := append(success, s.sessions.answer(r, last, used)...)
	s.mu.Unlock()
	s.keep(r, append(words(0), reply...))
	return reply
}

// keep keeps the RPC reply to a lone SEQUENCE, and notes that its slot is used. One that is refused
// uses none.
func (s *session) keep(r *renewal, reply []byte) {
	const status = 24 // of the COMPOUND, after the RPC header of a reply with an empty verifier
	if r == nil || r.op != numbers.OpSequence || len(reply) < status+4 || xidOf(reply[status:]) != 0 {
		return
	}
	s.use(r.sequence)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions.keep(r.sequence, reply[4:])
}

// forget has all slots be unused: a new session begins anew, and has the number of the captured one.
func (s *session) forget() {
	clear(s.numbers)
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.sessions.replies)
}
