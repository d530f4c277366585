package ulb

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func ulb018() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection, rules.Disordered, rules.Cut),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Client)).Since("the previous call on the slot"),
		},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.Calling|rules.Roleless, message018), rules.OnMessage(rules.WithoutCall, orphan018), rules.OnRPC(rules.Compound, rpc018), rules.OnPublished(session018), rules.OnPublished(jump018)},
	}
}

// mostTurns is how many slots of a connection are followed, the first.
const mostTurns = 256

// turns are the slots that a connection uses of its newest session.
type turns struct {
	session sessionID
	list    []turnOf
	// unread counts answers without a call that may be to calls on any slot.
	unread int64
}

// A turnOf is the newest call on a slot.
type turnOf struct {
	slot, id, xid uint32
	at            flow.Ref // of the call
	answered      bool
	// early is a call that came before the answer, if Seen, at point.
	early rules.PastMessage
	point flow.Point
}

// sequenceAt is the SEQUENCE that a COMPOUND begins with, read from its bytes.
func sequenceAt(b []byte) (s sequence, ok bool) {
	const minor, count = 4, 4 // bytes
	tag, ok := xdr.WordAt(b, 0)
	if !ok {
		return s, false
	}
	at := xdr.WordSize + xdr.Padded(tag) + minor + count
	const id, slot, size = 20, 24, 28 // after the operation's number
	if at+size+8 > uint64(len(b)) || binary.BigEndian.Uint32(b[at:]) != numbers.OpSequence {
		return s, false
	}
	b = b[at:]
	copy(s.session[:], b[xdr.WordSize:])
	s.id, s.slot = binary.BigEndian.Uint32(b[id:]), binary.BigEndian.Uint32(b[slot:])
	return s, true
}

// message018 holds a call against the one before on its slot.
func message018(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	if m.From != c.ClientEnd || m.Role() == dissect.RoleAnswer {
		return
	}
	s, ok := sequence018(c, m)
	if !ok {
		if k := state.IfAny(c); k != nil && k.turns != nil && !foreign018(m) {
			k.turns.list = k.turns.list[:0] // it may have been a call on any slot
		}
		return
	}
	t := rules.Some(&state.Of(c).turns)
	if t.session != s.session {
		t.session, t.list = s.session, t.list[:0]
		rules.Publish(c, sessionUse{s.session})
	}
	x := t.turnOfSlot(s.slot)
	if x == nil {
		if len(t.list) < mostTurns {
			t.list = append(t.list, turnOf{slot: s.slot, id: s.id, xid: m.Header.XID, at: m.Frame()})
		}
		return
	}
	switch {
	case m.Header.XID == x.xid: // it was retransmitted
		return
	case m.Frame().Compare(x.at) < 0: // it had to wait for what is missing, and the answer to a later one was known first
		return
	case !x.answered:
		if s.id == x.id+1 && !x.early.Seen() {
			x.early, x.point = rules.Past(m), m.Point
			return
		}
	case s.id != x.id && s.id != x.id+1 && x.id+1 != 0:
		if doubt, ok := whole018(c, x.at); ok {
			rules.Publish(c, slotJump{doubt: doubt, about: c.AboutMessage(m), session: s.session, slot: s.slot, id: s.id, before: x.id, frame: x.at})
		}
	}
	*x = turnOf{slot: s.slot, id: s.id, xid: m.Header.XID, at: m.Frame()}
}

// whole018 reports whether the capture has the calls of the client since one, or what it lacks of
// them is known to be others.
func whole018(c *rules.Conn, since flow.Ref) (doubt string, ok bool) {
	if c.OneDirection() || c.Disordered() || c.LostOf(c.ClientEnd, since) && !c.Accounted(c.ClientEnd, unread018(c)) {
		return "", false
	}
	return c.DoubtOf(c.ClientEnd, since), true
}

// unread018 counts the answers without a call that may be to calls on a slot.
func unread018(c *rules.Conn) int64 {
	if k := state.IfAny(c); k != nil && k.turns != nil {
		return k.turns.unread
	}
	return 0
}

// orphan018 takes an answer whose call is missing from the capture for the call: it says what that was.
func orphan018(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	k := state.IfAny(c)
	if m.From == c.ClientEnd || k == nil || k.turns == nil || !values.IsOrphan(m) {
		return
	}
	r, maybe, read := values.OrphanOf(m)
	if read && r.Op != numbers.OpSequence || !maybe {
		return
	}
	const id, slot = 16, 20 // bytes after the session's name begins
	if !read || r.Status != 0 || len(r.Rest) < slot+xdr.WordSize {
		k.turns.unread++
		return
	}
	if [len(sessionID{})]byte(r.Rest[:id]) != k.turns.session {
		return
	}
	x := k.turns.turnOfSlot(binary.BigEndian.Uint32(r.Rest[slot:]))
	if now := binary.BigEndian.Uint32(r.Rest[id:]); x != nil && int32(now-x.id) > 0 {
		*x = turnOf{slot: x.slot, id: now, xid: m.Header.XID, at: m.Frame(), answered: true}
	}
}

// sequence018 is the SEQUENCE of a call that can be read.
func sequence018(c *rules.Conn, m *dissect.Message) (s sequence, ok bool) {
	if m.Role() != dissect.RoleCall || c.Cut(m) || !m.HasRPC || !values.IsCompound(&m.CallHeader) || m.CallHeader.Protected() {
		return s, false
	}
	return sequenceAt(m.BodyBytes())
}

// foreign018 reports whether a message is a call of another program.
func foreign018(m *dissect.Message) bool {
	return m.Role() == dissect.RoleCall && m.Whole && m.HasRPC && !values.IsCompound(&m.CallHeader)
}

// turnOfSlot is the newest call on a slot, nil if there is none.
func (t *turns) turnOfSlot(slot uint32) *turnOf {
	for i := range t.list {
		if t.list[i].slot == slot {
			return &t.list[i]
		}
	}
	return nil
}

// rpc018 notes the answer to a call on a slot.
func rpc018(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil || k.turns == nil || r.Requester != c.ClientEnd || r.Call == nil {
		return
	}
	for i := range k.turns.list {
		x := &k.turns.list[i]
		if x.xid != r.XID || x.at != r.Call.Frame() {
			continue
		}
		if x.early.Seen() {
			early018(c, r, x, report)
			*x = turnOf{slot: x.slot, id: x.id + 1, xid: x.early.XID, at: x.early.Ref}
			return
		}
		if r.Reply == nil || !sequenced(r.Reply) {
			k.turns.list = append(k.turns.list[:i], k.turns.list[i+1:]...) // its number may not have counted
			return
		}
		x.answered = true
		return
	}
}

// sequenced reports whether a reply says that its SEQUENCE succeeded.
func sequenced(m *dissect.Message) bool {
	b := m.BodyBytes()
	const status, count, op = 4, 4, 4 // bytes
	tag, ok := xdr.WordAt(b, status)
	if !ok {
		return false
	}
	at := status + xdr.WordSize + xdr.Padded(tag) + count + op
	if at > uint64(len(b)) {
		return false
	}
	result, ok := xdr.WordAt(b, int(at))
	return ok && result == 0
}

// early018 reports a call on a slot whose call before was answered after it.
func early018(c *rules.Conn, r *dissect.RPC, x *turnOf, report rules.Reporter) {
	if r.Reply == nil || c.Precedes(&x.point, &r.Reply.Point) != flow.Yes {
		return
	}
	doubt, ok := whole018(c, r.Call.Frame())
	if !ok {
		return
	}
	if f := report.Past("b", &x.early, doubt); f != nil {
		f.Messagef("the client used slot %d again, with sequence number %d, before the reply to XID %s in frame %s, which had %d",
			x.slot, x.id+1, rules.Handle(r.XID), c.Capture.FrameName(r.Reply.Frame()), x.id)
		f.See("slot", x.slot, nil).See("sequence number", x.id+1, nil).With(r.Call.Frame(), r.Reply.Frame())
	}
}

// A sessionUse says that a connection uses a session.
type sessionUse struct{ session sessionID }

// A slotJump is a call with a sequence number that is out of turn, if no other connection
// uses the session.
type slotJump struct {
	doubt            string
	about            *rules.About
	session          sessionID
	slot, id, before uint32
	frame            flow.Ref
}

// users are the connections that use sessions: the only one, or 0 for several.
type users struct{ of map[sessionID]int }

const mostUsers = 1024

func session018(e *rules.ConnRef, x *sessionUse, _ rules.Reporter) {
	u := &crossState(e.CrossConnection).users
	id, known := u.of[x.session]
	switch {
	case known && id != e.ID():
		u.of[x.session] = 0
	case !known && len(u.of) < mostUsers:
		if u.of == nil {
			u.of = make(map[sessionID]int)
		}
		u.of[x.session] = e.ID()
	}
}

func jump018(e *rules.ConnRef, x *slotJump, report rules.Reporter) {
	if crossState(e.CrossConnection).users.of[x.session] != e.ID() {
		return
	}
	doubt := x.doubt
	if int32(x.id-x.before) > 0 {
		doubt = "a connection that is not in the capture may use the session too"
	}
	if f := report.About("a", x.about, doubt); f != nil {
		f.Messagef("the client sent sequence number %d on slot %d, but the previous call on it, in frame %s, had %d", x.id, x.slot, e.FrameName(x.frame), x.before)
		f.See("sequence number", x.id, x.before+1).See("slot", x.slot, nil).With(x.frame)
	}
}
