package report

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// now is what the frame in hand has brought so far, which is told before the frame.
type now struct {
	messages []heardMessage
	accesses []heardAccess
}

type heardMessage struct {
	frame flow.Ref
	conn  *dissect.Connection
	saying
}

type heardAccess struct {
	kind   dissect.AccessKind
	handle uint32
	offset uint64
}

// mostHeard bounds what is remembered of one frame.
const mostHeard = 256

func (n *now) message(m *dissect.Message) {
	if len(n.messages) >= mostHeard {
		return
	}
	x := heardMessage{frame: m.Frame(), conn: m.Connection}
	h := &m.Header
	x.known, x.role, x.version2 = true, m.Role(), h.Version == 2
	x.proc, x.xid, x.credits, x.length = uint8(min(uint32(h.Proc), 255)), h.XID, h.Credits, uint32(m.Length)
	n.messages = append(n.messages, x)
}

func (n *now) access(a *dissect.Access) {
	if len(n.accesses) < mostHeard {
		n.accesses = append(n.accesses, heardAccess{a.Kind, a.Handle, a.Offset})
	}
}

func (n *now) clear() { n.messages, n.accesses = n.messages[:0], n.accesses[:0] }

// fill adds to a step what was told of it.
func (n *now) fill(s *step) {
	kind := dissect.AccessWrite
	switch s.kind {
	case trailSend, trailSendInv:
		if s.position == rocev2.PositionFirst || s.position == rocev2.PositionMiddle {
			return
		}
		for i := range n.messages {
			if m := &n.messages[i]; m.frame == s.frame && m.known {
				s.message, m.known = m.saying, false
				return
			}
		}
		return
	case trailWrite:
	case trailReadRequest:
		kind = dissect.AccessRead
	case trailReadData:
		kind = dissect.AccessReadData
	default:
		return
	}
	for i, a := range n.accesses {
		if a.kind == kind {
			s.handle, s.offset = a.handle, a.offset
			n.accesses = append(n.accesses[:i], n.accesses[i+1:]...)
			return
		}
	}
}

// late gives messages that had to wait to the steps of their last frames.
func (h *HTML) late() {
	for i := range h.now.messages {
		m := &h.now.messages[i]
		if !m.known {
			continue
		}
		const near = 256 // steps: what waits longer is told without its words
		number := h.stateOf(m.conn).last
		for range near {
			s := h.trail.get(number)
			if s == nil {
				break
			}
			if s.frame == m.frame && (s.kind == trailSend || s.kind == trailSendInv) && !s.message.known {
				s.message = m.saying
				break
			}
			number = s.before
		}
	}
}
