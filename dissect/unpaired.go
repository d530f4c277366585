package dissect

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/ring"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// An UnpairedMessage is a message of another version than 1 of which no RPC is made: of one that
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

// Request is the UnpairedMessage that the message answers, nil if it answers none. It is valid
// only while a Sink is told of the message.
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

// noteUnpaired takes a message that a Sink is to be told of, and remembers it if it is an
// UnpairedMessage, or answers one.
func (c *Connection) noteUnpaired(m *Message) {
	h, x, r := &c.history, &m.Header, m.rpc
	if x.Length < rpcrdma.FixedSize || r != nil && r.Call != nil {
		return
	}
	if h.unpaired.Len() > 0 {
		if m.request = h.waiting(m.From.Peer(), x.XID); m.request != nil {
			m.request.Answer, m.request.Failed = m.Frame(), x.Proc == rpcrdma.RDMAError
			return
		}
	}
	switch {
	case r != nil || x.Version == rpcrdma.Version1 || x.Proc == rpcrdma.RDMAError:
	case m.From == c.ClientEnd && c.Waits(m.From.Peer(), x.XID):
		// It may be the client's answer to a reverse call.
	default:
		*h.unpaired.Add(maxUnpaired) = UnpairedMessage{From: m.From, XID: x.XID, Version: x.Version, Frame: m.Frame(), Time: m.Last}
	}
}
