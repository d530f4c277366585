package dissect

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/ring"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// An UnpairedMessage is a message of which no RPC is made, of another version than 1, or an
// RDMA_MSG whose RPC message is neither a call nor a reply: of one that
// is not defined, or of version 2 without an RPC message. What answers it is in no RPC
// with it.
type UnpairedMessage struct {
	From         flow.End
	XID, Version uint32
	// Frame is its last frame, captured at Time, in nanoseconds since 1970.
	Frame flow.Ref
	Time  int64
	// Answer is the last frame of what answered it, the zero Ref while nothing did;
	// Failed says that it was an RDMA_ERROR.
	Answer flow.Ref
	Failed bool
}

// Answered reports whether it got an answer.
func (s *UnpairedMessage) Answered() bool { return s.Answer != flow.Ref{} }

// Request is the UnpairedMessage of another version than 1 that the message answers, nil if it
// answers none. It is valid only while a Sink receives the message.
func (m *Message) Request() *UnpairedMessage { return m.request }

// Unpaired are those that are remembered, the oldest first.
func (h *History) Unpaired() *ring.Ring[UnpairedMessage] { return &h.unpaired }

// AnswersUnpaired reports whether a message of an end was found to answer an UnpairedMessage,
// by its XID and its last frame.
func (h *History) AnswersUnpaired(from flow.End, xid uint32, frame flow.Ref) bool {
	if h.unpaired.Len() == 0 {
		return false
	}
	for s := range h.unpaired.All() {
		if s.Answer == frame && s.XID == xid && s.From != from {
			return true
		}
	}
	return false
}

// waiting is the first UnpairedMessage that an end sent with an XID and that has no answer.
func (h *History) waiting(from flow.End, xid uint32) *UnpairedMessage {
	for s := range h.unpaired.All() {
		if s.XID == xid && s.From == from && !s.Answered() {
			return s
		}
	}
	return nil
}

// noteUnpaired takes a message that a Sink is to receive, and remembers it if it is an
// UnpairedMessage, or answers one.
func (c *Connection) noteUnpaired(m *Message) {
	h, x, r := &c.history, &m.Header, m.rpc
	if x.Length < rpcrdma.FixedSize || r != nil && r.Call != nil {
		return
	}
	if h.unpaired.Len() > 0 {
		if s := h.waiting(m.From.Peer(), x.XID); s != nil {
			s.Answer, s.Failed = m.Frame(), x.Proc == rpcrdma.RDMAError
			if s.Version != rpcrdma.Version1 {
				m.request = s
			}
			return
		}
	}
	switch {
	case r != nil || x.Proc == rpcrdma.RDMAError || x.Version == rpcrdma.Version1 && !m.otherKind():
	case m.From == c.ClientEnd && c.Waits(m.From.Peer(), x.XID):
		// It may be the client's answer to a reverse call.
	default:
		*h.unpaired.Add(maxUnpaired) = UnpairedMessage{From: m.From, XID: x.XID, Version: x.Version, Frame: m.Frame(), Time: m.Last}
	}
}

// otherKind reports whether a message is an RDMA_MSG that has what is no RPC message.
func (m *Message) otherKind() bool {
	h := &m.Header
	return h.Proc == rpcrdma.RDMAMsg && !h.Fault.Bad() && m.Whole && m.ownRole == RoleNone
}
