package requests

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

// An identity is what of a packet of a Send may differ when it is retransmitted, and the
// ICRC, which covers that and the payload.
type identity struct {
	icrc   uint32
	bth    [rocev2.BTHSize]byte
	length uint16 // bytes from BTH to ICRC
	ipid   uint16
	port   uint16 // of the sender
}

// mostRest is how many packets of an end are remembered that are not the first of a Send.
const mostRest = 64

// A restPacket is one of them.
type restPacket struct {
	frame flow.Ref
	identity
}

func (p *restPacket) set(v *dissect.FrameView) {
	p.frame = rules.Ref(v)
	p.identity.set(v)
}

// identifies reports whether a packet is one of a Send, as it was sent first, that can be
// distinguished from others.
func identifies(v *dissect.FrameView, ib *rocev2.Packet) bool {
	return ib.Check == rocev2.ICRCRight && ib.OpCode.Kind() == rocev2.KindSend && v.Verdict.Note != flow.LostOnWire && v.Verdict.Note != flow.Stale
}

func (p *identity) set(v *dissect.FrameView) {
	copy(p.bth[:], v.IB.Bytes)
	p.icrc, p.length = v.IB.ICRC, lengthOf(v.Link)
	p.ipid, p.port = v.Link.IPID, v.Link.SrcPort
}

func lengthOf(l *link.Packet) uint16 { return uint16(l.End() - l.Start()) }

func (p *identity) psn() uint32 { return binary.BigEndian.Uint32(p.bth[8:]) & 0xffffff }

// A First is a packet of a Send as it was sent first.
type First struct {
	Frame  flow.Ref
	OpCode rocev2.OpCode
	// Length is the bytes from BTH to ICRC.
	Length int
}

// Other is the packet that first had the PSN of one that is retransmitted, nil if it is the
// same packet or is not remembered.
func (x *Record) Other(c *rules.Conn, v *dissect.FrameView) *First {
	p, frame := x.identity(v.Verdict.From&1, v.IB.PSN)
	if p == nil || v.ICRC() != rocev2.ICRCRight || p.same(c, v) {
		return nil
	}
	return &First{frame, rocev2.OpCode(p.bth[0]), int(p.length)}
}

// identity is that of the packet with a PSN that was sent last, nil if it is not
// remembered.
func (x *Record) identity(end flow.End, psn uint32) (*identity, flow.Ref) {
	if r := x.findRequest(end, func(r *Request) bool { return r.identified && r.First == psn }); r != nil {
		return &r.packet, r.Begin
	}
	if x.rest != nil {
		for p := range x.rest[end].Backward() {
			if p.psn() == psn {
				return &p.identity, p.frame
			}
		}
	}
	return nil, flow.Ref{}
}

// spareSlot is where a Checker keeps the buffer of same.
const spareSlot = rules.CaptureSlot[[]byte](rules.KeepsRequests)

// same reports whether a frame is the packet, sent again. It is, if it has the packet's
// ICRC once the identification of the IPv4 header, the source port and the flags
// of the BTH are put back: all that a sender may change.
func (p *identity) same(c *rules.Conn, v *dissect.FrameView) bool {
	l := v.Link
	if p.length != lengthOf(l) || p.bth[0] != v.IB.Bytes[0] {
		return false
	}
	if l.Transport != link.RoCEv2 && l.Transport != link.RoCEv1 {
		return true // nothing is known of what else may change
	}
	spare := spareSlot.Of(c.Capture)
	*spare = append((*spare)[:0], v.Frame.Data...)
	b := *spare
	copy(b[l.Start():], p.bth[:])
	if l.Transport == link.RoCEv2 {
		const identification, udp = 4, 8 // its offset; bytes of the UDP header
		if b[l.Network()]>>4 == 4 {
			binary.BigEndian.PutUint16(b[l.Network()+identification:], p.ipid)
		}
		binary.BigEndian.PutUint16(b[l.Start()-udp:], p.port)
	}
	computed, _, ok := rocev2.ICRC(b, l)
	return !ok || computed == p.icrc
}
