package flow

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/rocev2"
)

// packet is one packet on its way through a half connection.
type packet struct {
	ref     Ref
	time    int64
	octets  int // of the frame on the wire
	badICRC bool
	ident   uint32 // see identity
	ib      *rocev2.Packet
}

// identity tells a frame that was captured twice from one that was sent twice:
// the ICRC covers the IP identification and the whole packet, so two frames
// with the same ICRC are the same to the octet.
func identity(f *Frame) uint32 {
	p := f.IB
	if n := len(p.Octets); n >= 4 && p.PayloadEnd+int(p.PadCnt)+4 == n {
		return binary.LittleEndian.Uint32(p.Octets[n-4:])
	}
	return uint32(f.Link.IPID)<<16 | uint32(f.Octets)&0xffff
}

// held is a copy of a packet that has to wait: the frame's octets belong to
// the reader, and are gone when the next frame is read.
type held struct {
	packet
	half *half
	seq  int64 // the tracker's frame count when it came
	ib   rocev2.Packet
}

// keep copies a packet and its octets.
func keep(h *half, p *packet) *held {
	k := &held{packet: *p, half: h, ib: *p.ib}
	k.ib.Octets = append([]byte(nil), p.ib.Octets...)
	k.packet.ib = &k.ib
	return k
}
