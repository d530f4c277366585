package dissect

import (
	"encoding/binary"
	"math"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// A Body is the arguments or the result that an RPC message carries after its
// header, as the text in XDR language of its program has them.
type Body struct {
	Binding *Binding
	// Walker went over the bytes: its events are what was found in them.
	walk.Walker
	// Bytes are the body's, as far as they were inline or in a long message:
	// what RPCSEC_GSS puts around them for integrity is not part of them. Start is
	// the offset of the first in the RPC message.
	Bytes []byte
	Start int
	// Reduced says what travelled in chunks.
	Reduced walk.Reduction
	// Left is how many bytes stand after the value.
	Left int

	reads  []walk.ReadChunk
	writes []uint32
}

// bodyState says what is known of a message's body.
type bodyState uint8

const (
	bodyUnknown bodyState = iota // nobody asked so far
	bodyNone                     // there is none, or none that can be read
	bodyFound                    // its bytes were found, and nobody asked what they say
	bodyWalked
)

// Body is what the message carries after its RPC header: the arguments of a
// call, the result of a reply that was accepted. It is nil if there is none, if
// nothing describes it, if it is encrypted, or if the call to a reply is not
// known. It is worked out when first asked for, and valid as long as the message.
func (m *Message) Body() *Body {
	if m.bodyState != bodyWalked {
		if !m.findBody() {
			if call := m.call(); call != nil && call.Ended {
				m.bodyState = bodyNone
			} // else who asks once the call is known finds more
			return nil
		}
		b := m.body
		b.Walk(b.Binding.Route(m.Answer), b.Bytes, b.Reduced)
		b.Left = len(b.Bytes) - b.Consumed
		m.bodyState = bodyWalked
	}
	return m.body
}

// Undecodable says why the arguments or results of a message that is all there cannot be decoded
// to their end, and from which byte on, counted in the Send or long message; "" if they can, as far
// as is known. What stands after the fault is not among the
// events of the Body.
func (m *Message) Undecodable() string {
	if !m.Whole || m.Header.Fault.Bad() || m.rpcFault.Bad() || m.Fits() {
		return ""
	}
	b := m.Body()
	if b == nil || !b.Fault.Bad() || b.Cut && m.Transfer == Long && (m.rpc == nil || !m.rpc.Complete) {
		return ""
	}
	f := b.Fault
	f.Offset += b.Start
	if m.Transfer != Long {
		f.Offset += m.Header.Length
	}
	if m.Answer {
		return "results: " + f.String()
	}
	return "arguments: " + f.String()
}

// Undecodable is that of the call, or else of the reply, of an RPC that is Complete.
func (r *RPC) Undecodable() string {
	if !r.Complete {
		return ""
	}
	for _, m := range [...]*Message{r.Call, r.Reply} {
		if m != nil {
			if bad := m.Undecodable(); bad != "" {
				return bad
			}
		}
	}
	return ""
}

// Fits reports whether there is a Body, and the bytes are it, no more and no less. To ask
// costs less than Body where nobody has asked for that.
func (m *Message) Fits() bool {
	if m.bodyState == bodyWalked {
		return !m.body.Fault.Bad() && m.body.Left == 0
	}
	if !m.findBody() {
		return false
	}
	b := m.body
	return b.Walker.Fits(b.Binding.Route(m.Answer), b.Bytes, b.Reduced)
}

// BodyBytes are the bytes that Body goes over, nil where there is no Body. They are for
// who looks at the first words of many bodies, and walks few.
func (m *Message) BodyBytes() []byte {
	if m.bodyState != bodyWalked && !m.findBody() {
		return nil
	}
	return m.body.Bytes
}

// call is the header of the call that the message is or answers, nil if that is
// not known.
func (m *Message) call() *rpc.Call {
	switch {
	case !m.HasRPC:
		return nil
	case !m.Answer:
		return &m.CallHeader
	case m.hasAsked:
		return &m.asked // the RPC may have gone on to serve another
	case m.rpc == nil:
		return nil
	}
	return m.rpc.CallHeader()
}

// findBody finds the bytes of the body and what describes them, if both are there. Of a long
// message there may be more of them later.
func (m *Message) findBody() bool {
	switch {
	case m.bodyState == bodyNone:
		return false
	case m.bodyState == bodyFound && m.Transfer != Long:
		return true
	}
	if !m.lookForBody() {
		return false
	}
	m.bodyState = bodyFound
	return true
}

func (m *Message) lookForBody() bool {
	call := m.call()
	if call == nil || !m.Answer && !call.Ended || call.Cred.Flavor == rpc.RPCSECGSS && call.Cred.GSS.Proc != rpc.GSSData {
		return false
	}
	if m.Answer && (m.ReplyHeader.Denied || m.ReplyHeader.Accept != rpc.Success) {
		return false
	}
	reverse := m.Connection.ToServer(m.From) == m.Answer
	if m.body == nil {
		m.body = new(Body)
	}
	b := m.body
	b.Binding = m.Connection.bindings.findBinding(call.Program, call.Version, call.Procedure, reverse)
	return b.Binding != nil && m.locate(&call.Cred)
}

// locate finds the bytes of the body; not if they are encrypted.
func (m *Message) locate(cred *rpc.Cred) bool {
	b := m.body
	b.Bytes, b.Start = m.rest, m.headerLength()
	if m.Transfer == Long {
		long := m.LongMessage()
		b.Bytes = long[min(b.Start, len(long)):]
	}
	b.Reduced = walk.Reduction{Start: uint32(b.Start)}
	if cred.Flavor == rpc.RPCSECGSS && cred.GSS.Service != rpc.ServiceNone {
		// Nothing of it travels in chunks then (RFC 8166 section 8.2.2.3).
		return cred.GSS.Service == rpc.ServiceIntegrity && b.unwrap()
	}
	h := &m.Header
	if m.Answer {
		b.writes = b.writes[:0]
		for _, c := range h.Writes {
			b.writes = append(b.writes, uint32(min(h.ChunkLength(c), math.MaxUint32)))
		}
		b.Reduced.Writes = b.writes
		return true
	}
	b.reads = b.reads[:0]
	for i := range h.NumReadChunks() {
		position, segments := h.ReadChunk(i)
		length := uint64(0)
		for _, s := range segments {
			length += uint64(s.Length)
		}
		if position > 0 {
			b.reads = append(b.reads, walk.ReadChunk{Position: position, Length: uint32(min(length, math.MaxUint32))})
		}
	}
	b.Reduced.Reads = b.reads
	return true
}

// LongMessage is the message that chunks carried, as far as it was put back together:
// the call in a Position-Zero Read chunk, the reply in a Reply chunk. It is for messages
// whose Transfer is Long, and nil if the RPC goes on without the message.
func (m *Message) LongMessage() []byte {
	if m.rpc == nil || m.rpc.Call != m && m.rpc.Reply != m {
		return nil
	}
	o := &m.rpc.Offer
	data, front := o.LongCall, o.Front(rpcrdma.ForRead)
	if m.Answer {
		data, front = o.LongReply, min(o.Front(rpcrdma.ForReply), m.Header.ChunkLength(m.Header.Reply))
	}
	return data[:min(uint64(len(data)), front)]
}

// unwrap takes the body out of what RPCSEC_GSS's integrity service puts around
// it: a length, a sequence number, the body, a checksum (RFC 2203 section 5.3.2.2).
func (b *Body) unwrap() bool {
	const length, sequence = 4, 4 // bytes
	if len(b.Bytes) < length+sequence {
		return false
	}
	n := binary.BigEndian.Uint32(b.Bytes)
	if n < sequence || uint64(n) > uint64(len(b.Bytes)-length) {
		return false
	}
	b.Bytes = b.Bytes[length+sequence : length+int(n)]
	b.Start += length + sequence
	b.Reduced.Start = uint32(b.Start)
	return true
}
