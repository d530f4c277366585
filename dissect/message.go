package dissect

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/field"
)

// message takes a Send of a connection that speaks RPC-over-RDMA.
func (d *Dissector) message(c *Connection, s *flow.Send) {
	m := d.pool.message()
	d.fill(m, c, s)
	if v := m.Header.Version; c.Version == 0 || v == rpcrdma.Version1 || v == rpcrdma.Version2 {
		c.Version = v // 0 if it was not read
	}
	c.Messages++
	d.sum.Messages++
	m.role = d.role(m)
	m.Answer = m.role == RoleAnswer
	c.take2(m)
	switch m.role {
	case RoleCall:
		d.called(m, s)
	case RoleAnswer:
		d.answered(m, s)
	default:
		// It begins and ends nothing.
		d.emit(m)
		d.pool.drop(m)
	}
}

// A Role is what a message is in an RPC.
type Role uint8

const (
	RoleNone   Role = iota // it begins and ends nothing, or cannot be told
	RoleCall               // a call
	RoleAnswer             // a reply, or an RDMA_ERROR
)

// Role is what the message is in an RPC. Message.Answer is false for RoleNone.
func (m *Message) Role() Role { return m.role }

// role decides what a message is. Where it does not say so itself, since it is
// malformed or cut, it answers the open call with its XID. A client's header
// whose fixed words can be read and that answers nothing is a call.
func (d *Dissector) role(m *Message) Role {
	h, c := &m.Header, m.Connection
	if h.Version == rpcrdma.Version2 || h.Version > rpcrdma.Version2 && !h.Fault.Bad() {
		return d.role2(m)
	}
	if h.Proc == rpcrdma.RDMADone && !h.Fault.Bad() {
		return RoleNone
	}
	if d.answersByXID(m) {
		m.forgetRPC()
		return RoleAnswer
	}
	// A long message without a Position-Zero Read chunk is a reply, unless it is a
	// call that lacks the chunk.
	guess := h.Proc == rpcrdma.RDMANoMsg && m.ownRole != RoleCall
	if !h.Fault.Bad() && !guess && m.ownRole != RoleNone {
		return m.ownRole
	}
	if m.Length >= rpcrdma.FixedSize && c.calls[callKey{h.XID, m.From.Peer()}] != nil {
		return RoleAnswer
	}
	// What is shorter than XID and msg_type is no RPC message.
	empty := h.Proc == rpcrdma.RDMAMsg && m.Whole && m.Length-h.Length < 2*xdr.WordSize
	if (guess || empty || h.Fault.Bad()) && h.Length >= rpcrdma.FixedSize && h.Version == rpcrdma.Version1 && c.RolesKnown && c.ToServer(m.From) {
		return RoleCall
	}
	if h.Fault.Bad() {
		return RoleNone
	}
	return m.ownRole
}

// answersByXID reports whether a message that says of itself that it is a call has the rdma_xid of an open call of
// its receiver, and another XID after it: what follows the header is then no RPC message as it should be.
func (d *Dissector) answersByXID(m *Message) bool {
	if m.ownRole != RoleCall || m.Header.Fault.Bad() || m.Header.Proc != rpcrdma.RDMAMsg || m.Connection.calls[callKey{m.Header.XID, m.From.Peer()}] == nil {
		return false
	}
	xid, ok := xdr.WordAt(m.raw[m.Header.Length:], 0)
	return ok && xid != m.Header.XID
}

// forgetRPC takes back what was decoded of an inline RPC message.
func (m *Message) forgetRPC() {
	m.HasRPC, m.ownRole, m.rest, m.rpcFault = false, RoleNone, m.rest[:0], field.Fault{}
}

// emit hands on a message.
func (d *Dissector) emit(m *Message) {
	d.announce(m.Connection)
	if m.Frame() == d.at { // not one that had to wait
		d.view.Message = m
	}
	if m.HasInvalidated {
		m.Connection.ledger.Invalidate(m.Invalidated, m.Frame(), m.Last)
	}
	m.Connection.noteUnpaired(m)
	if !m.Whole {
		m.Connection.cut(m)
	}
	d.sink.Message(m)
	m.raw, m.request = nil, nil
}

// fill decodes a Send into a message.
func (d *Dissector) fill(m *Message, c *Connection, s *flow.Send) {
	// Field by field: a message is half a kilobyte, most of it set by Decode.
	m.Connection, m.From = c, s.From
	m.Frames = append(m.Frames[:0], s.Frames...)
	m.pieces = append(m.pieces[:0], s.Pieces...)
	m.raw = s.Bytes
	m.First, m.Last = s.First, s.Last
	m.Point = s.Point
	m.Length = s.Length
	m.Invalidated, m.HasInvalidated = s.Invalidate, s.HasInvalidate
	m.Whole, m.Missing = s.Whole, s.Missing
	m.Answer, m.HasRPC, m.ownRole = false, false, RoleNone
	m.rpcFault = field.Fault{}
	m.rpc, m.hasAsked, m.bodyState, m.optional = nil, false, bodyUnknown, nil
	m.rest = m.rest[:0]
	m.Transfer, m.RPCLength = Inline, 0
	m.Bytes = m.Bytes[:0]
	if d.opts.KeepBytes {
		m.Bytes = append(m.Bytes, s.Bytes...)
	}
	h := &m.Header
	if !h.Decode(s.Bytes) {
		return
	}
	m.ownRole = roleFromBody(h, s.Bytes)
	m.Answer = m.ownRole == RoleAnswer
	if !m.HasInlineRPC() {
		return
	}
	payload := s.Bytes[h.Length:]
	if _, lacks := rpc.LacksXID(payload, h.XID); lacks {
		m.rpcFault = field.Fault{Reason: rpc.NoXID}
		return
	}
	if m.Answer {
		m.ReplyHeader.Decode(payload)
		m.HasRPC = !m.ReplyHeader.Fault.Bad()
		m.rpcFault = m.ReplyHeader.Fault
	} else if m.ownRole == RoleCall {
		m.CallHeader.Decode(payload)
		m.HasRPC = callKnown(&m.CallHeader)
		m.rpcFault = m.CallHeader.Fault
	}
	if h.Proc == rpcrdma.RDMA2Optional {
		m.rpcFault = field.Fault{} // it may carry a part only
	}
	if m.HasRPC {
		m.rest = append(m.rest, payload[min(m.headerLength(), len(payload)):]...)
	}
}

// HasInlineRPC reports whether an RPC message, or a part of one, follows the header.
func (m *Message) HasInlineRPC() bool {
	switch m.Header.Proc {
	case rpcrdma.RDMAMsg, rpcrdma.RDMAMsgP:
		return true
	case rpcrdma.RDMA2Optional:
		return m.ownRole != RoleNone
	}
	return false
}

// headerLength is the bytes of the RPC header.
func (m *Message) headerLength() int {
	if m.Answer {
		return m.ReplyHeader.Length
	}
	return m.CallHeader.Length
}

// callKnown reports whether what is called can be told: the whole header was
// decoded, or at least all up to the flavor of the credential.
func callKnown(c *rpc.Call) bool {
	const toFlavor = 28 // bytes
	return !c.Fault.Bad() || c.Length >= toFlavor
}

// roleFromBody tells a reply from a call: by the RPC message where it is inline, else by
// the chunks that only one of them has.
func roleFromBody(h *rpcrdma.Header, data []byte) Role {
	if h.Version == rpcrdma.Version2 {
		return roleFromBody2(h, data)
	}
	switch h.Proc {
	case rpcrdma.RDMAError:
		return RoleAnswer
	case rpcrdma.RDMANoMsg:
		if _, long := h.PositionZero(); long {
			return RoleCall
		}
		if h.HasReply {
			return RoleAnswer
		}
		return RoleNone
	}
	return inlineRole(h.XID, data[min(h.Length, len(data)):])
}

// inlineRole is what the RPC message that bytes begin with, after a header with an XID, says of itself.
func inlineRole(xid uint32, data []byte) Role {
	isCall, ok := rpc.LacksXID(data, xid)
	if !ok {
		isCall, ok = rpc.MessageType(data)
	}
	switch {
	case !ok:
		return RoleNone
	case isCall:
		return RoleCall
	}
	return RoleAnswer
}

// measureCall works out how the call travelled and its length as the server's
// upper layer sees it: what is inline, and each Read chunk with its XDR padding.
func (m *Message) measureCall() {
	h := &m.Header
	if _, long := h.PositionZero(); long && h.Proc == rpcrdma.RDMANoMsg {
		m.Transfer = Long
	} else if len(h.Reads) > 0 {
		m.Transfer = Chunked
	}
	if !m.Whole || h.Fault.Bad() || h.Proc == rpcrdma.RDMA2Optional {
		return
	}
	m.RPCLength = uint64(m.Length - h.Length)
	for i := range h.NumReadChunks() {
		length := uint64(0)
		_, segments := h.ReadChunk(i)
		for _, s := range segments {
			length += uint64(s.Length)
		}
		m.RPCLength += roundUp(length)
	}
}

// measureReply does the same for a reply, whose chunks say how much of them
// was used.
func (m *Message) measureReply() {
	h := &m.Header
	if !m.Whole || h.Fault.Bad() || h.Proc == rpcrdma.RDMAError || h.Proc == rpcrdma.RDMA2Optional {
		return
	}
	m.RPCLength = uint64(m.Length - h.Length)
	for _, chunk := range h.Writes {
		if n := h.ChunkLength(chunk); n > 0 {
			m.Transfer = Chunked
			m.RPCLength += roundUp(n)
		}
	}
	if h.HasReply && h.Proc == rpcrdma.RDMANoMsg {
		m.Transfer = Long
		m.RPCLength += h.ChunkLength(h.Reply)
	}
}

// roundUp adds the padding that XDR gives an item of n bytes.
func roundUp(n uint64) uint64 { return (n + 3) &^ 3 }
