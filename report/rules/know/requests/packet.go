package requests

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

// taken reports whether a packet is one that the receiver may take, and not one that was
// taken before, nor connection management.
func taken(v *dissect.FrameView) bool {
	switch v.Verdict.Note {
	case flow.Duplicate, flow.Corrupt, flow.Retransmission:
		return false
	}
	return v.IB.OpCode.Transport() != rocev2.TransportUD
}

// packet takes a packet of a request.
func (x *Record) packet(c *rules.Conn, v *dissect.FrameView, ib *rocev2.Packet) {
	end := v.Verdict.From & 1
	if ib.OpCode.Kind() == rocev2.KindSend {
		x.sent[end] = true
	}
	switch ib.OpCode.Position() {
	case rocev2.PositionMiddle, rocev2.PositionLast:
		x.last[end].goesOn(v, ib)
		if identifies(v, ib) {
			rules.Some(&x.rest)[end].Add(mostRest).set(v)
		}
	default:
		x.begins(c, v, ib, end)
	}
}

// goesOn takes a packet of a request after its first, which begins none if the one
// before it is not known.
func (r *Request) goesOn(v *dissect.FrameView, ib *rocev2.Packet) {
	if r == nil || rocev2.PSNAdd(r.Last, 1) != ib.PSN || r.Kind() != ib.OpCode.Kind() {
		return
	}
	r.Last = ib.PSN
	r.Frame, r.Time = rules.Ref(v), v.Frame.Time
	r.carries(ib)
}

// begins takes the first packet of a request, which may have been told as a message
// already.
func (x *Record) begins(c *rules.Conn, v *dissect.FrameView, ib *rocev2.Packet, end flow.End) {
	at := rules.Ref(v)
	r := x.last[end]
	if r == nil || !r.Message || r.Frame != at {
		r = x.addRequest(c, end)
		r.Begin, r.Frame, r.Time = at, at, v.Frame.Time
		r.First, r.Last, r.again = ib.PSN, ib.PSN, uint32(c.Retransmissions)
	}
	r.OpCode = ib.OpCode
	if r.identified = identifies(v, ib); r.identified {
		r.packet.set(v)
	}
	if ib.RETH() != 0 {
		r.Named, r.Handle, r.Offset, r.Length = true, ib.RKey(), ib.VA(), int(ib.DMALen())
		if r.Kind() == rocev2.KindReadRequest && c.PathMTU > 0 {
			r.Last = rocev2.PSNAdd(r.First, Packets(ib.DMALen(), c.PathMTU)-1)
		}
	}
	if !r.Message {
		r.carries(ib)
	}
}

// carries notes what a packet of the request has.
func (r *Request) carries(ib *rocev2.Packet) {
	if r.Kind() == rocev2.KindSend {
		r.Length += ib.PayloadLength()
	}
	if ib.IETH() != 0 {
		r.Handle, r.Invalidates = ib.InvRKey(), true
	}
}

// Packets is how many packets a response of n bytes takes.
func Packets(n uint32, mtu int) int {
	return int(max(1, (uint64(n)+uint64(mtu)-1)/uint64(mtu)))
}
