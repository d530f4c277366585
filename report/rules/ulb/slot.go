package ulb

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A slot is one of a session whose last call failed below NFS: the client did not
// get the result of its SEQUENCE.
type slot struct {
	session    sessionID
	slot, xid  uint32
	connection int // its ID, which CrossConnection knows
	how        string
	frame      flow.Ref
	time       int64
	sent       int64 // when the call was
	call       *rules.About
	// higher counts the later calls of the session that used a slot with a higher
	// number.
	higher int
}

// A use is one of the first calls of a connection: what came after the end of
// another connection. The RPCs that were open there are told later than it.
type use struct {
	session    sessionID
	slot       uint32
	connection int
	time       int64 // of the call
	frame      flow.Ref
	status     string // that says that the call was out of sequence, "" if none does
	first      bool
	// call is nil for slot 0, and answer where the status is "".
	call, answer *rules.About
}

// slots are those of a capture that were not used since; the oldest are
// forgotten first.
type slots struct {
	open []slot
	uses rules.Ring[use]
}

const (
	mostSlots = 64
	mostUses  = 256
	// firstUses is how many calls of a connection are remembered as its first.
	firstUses = 128
)

// used notes one of the first calls of a connection.
func (s *slots) used(u *use) {
	n := s.uses.Add(mostUses)
	*n = *u
	n.call, n.answer = nil, nil
}

// after is the first use of a slot on another connection since its call was sent; nil if
// none is known.
func (s *slots) after(lost *slot, connection int) (first *use) {
	for u := range s.uses.All() {
		if u.session == lost.session && u.slot == lost.slot && u.connection != connection && u.time >= lost.sent && (first == nil || u.time < first.time) {
			first = u
		}
	}
	return first
}

// failedBelow says how a call failed below NFS, and in which frame that shows; "" if
// it did not.
func failedBelow(c *rules.Conn, r *dissect.RPC) (how string, frame flow.Ref, time int64) {
	switch {
	case r.Reply == nil && c.Closing != flow.Open:
		return "the connection ended", r.Call.Frame(), c.LastTime
	case r.Reply == nil:
		return "", frame, 0
	case c.Sound(r.Reply) && r.Reply.Header.Proc == rpcrdma.RDMAError:
		how = r.Reply.Header.ProcName() + " " + r.Reply.Header.ErrorName()
	default:
		how = refused(c, r)
	}
	return how, r.Reply.Frame(), r.Reply.Last
}

func (s *slots) addSlot(x slot) {
	s.open = slices.DeleteFunc(s.open, func(y slot) bool { return y.session == x.session && y.slot == x.slot })
	if len(s.open) == mostSlots {
		s.open = slices.Delete(s.open, 0, 1)
	}
	x.call = nil
	s.open = append(s.open, x)
}
