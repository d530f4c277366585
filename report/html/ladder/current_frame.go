package ladder

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// CurrentFrame is what the frame in hand has brought so far, which is told before the frame.
type CurrentFrame struct {
	messages []Message
	accesses []access
	names    names
}

// A Message is one that the frame in hand completes, or an earlier frame did.
type Message struct {
	frame flow.Ref
	Conn  *dissect.Connection
	messageNumbers
	more *more // its name, nil for none
}

type access struct {
	kind   dissect.AccessKind
	handle uint32
	offset uint64
	owner  uint32
	owned  bool
}

// mostPerFrame bounds what is remembered of one frame.
const mostPerFrame = 256

// Message takes a message.
func (n *CurrentFrame) Message(m *dissect.Message) {
	if len(n.messages) >= mostPerFrame {
		return
	}
	x := Message{frame: m.Frame(), Conn: m.Connection}
	h := &m.Header
	x.known, x.role, x.version2 = true, m.Role(), h.Version == 2
	x.proc, x.xid, x.credits, x.length = uint8(min(uint32(h.Proc), 255)), h.XID, h.Credits, uint32(m.Length)
	x.more = n.names.of(m)
	n.messages = append(n.messages, x)
}

// Access takes what RDMA moved.
func (n *CurrentFrame) Access(a *dissect.Access) {
	if len(n.accesses) == mostPerFrame {
		return
	}
	x := access{kind: a.Kind, handle: a.Handle, offset: a.Offset}
	if a.RPC != nil {
		x.owner, x.owned = a.RPC.XID, true
	}
	n.accesses = append(n.accesses, x)
}

// Clear forgets all: the frame is over.
func (n *CurrentFrame) Clear() { n.messages, n.accesses = n.messages[:0], n.accesses[:0] }

// fill adds to a step what was reported of it.
func (n *CurrentFrame) fill(s *Step) {
	kind := dissect.AccessWrite
	switch s.kind {
	case kindSend, kindSendInv:
		if s.position == rocev2.PositionFirst || s.position == rocev2.PositionMiddle {
			return
		}
		for i := range n.messages {
			if m := &n.messages[i]; m.frame == s.frame && m.known {
				s.message, s.more, m.known = m.messageNumbers, m.more, false
				return
			}
		}
		return
	case kindWrite:
	case kindReadRequest:
		kind = dissect.AccessRead
	case kindReadData:
		kind = dissect.AccessReadData
	default:
		return
	}
	for i, a := range n.accesses {
		if a.kind == kind {
			s.handle, s.offset, s.owner, s.owned = a.handle, a.offset, a.owner, a.owned
			n.accesses = append(n.accesses[:i], n.accesses[i+1:]...)
			return
		}
	}
}

// Late are messages of the frame in hand that had to wait, and so are not of it.
func (n *CurrentFrame) Late() (list []Message) {
	for i := range n.messages {
		if m := &n.messages[i]; m.known {
			list = append(list, *m)
		}
	}
	return list
}
