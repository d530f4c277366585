package flow

import "github.com/rdmacap/rdmacap/rocev2"

// packet is one packet on its way through a half connection.
type packet struct {
	ref Ref
	sighting
	octets   int // of the frame on the wire
	start    int // offset in the frame of ib.Octets
	badICRC  bool
	goodICRC bool // it was captured whole, and its ICRC is right
	ib       *rocev2.Packet
}

// read takes from a frame what the packet is.
func (p *packet) read(f *Frame) {
	p.ref, p.octets, p.start, p.badICRC, p.ib = f.Ref, f.Octets, f.Link.Start, f.BadICRC, f.IB
	p.sighting = sightingOf(f)
	p.goodICRC = f.HasICRC && !f.BadICRC
}

// held is a copy of a packet that has to wait: the frame's octets belong to
// the reader, and are gone when the next frame is read.
type held struct {
	packet
	half *half
	seq  int64 // the tracker's frame count when it came
	ib   rocev2.Packet
	tie  tie
	// inRequests is its place among the requests by which unpaired halves are found.
	inRequests element[held]
	// proven is the connection's frame count when the peer had acknowledged
	// all before it, 0 if not yet; of a packet behind a gap.
	proven int64
}

// tie is what Options.Peek reads from a Send.
type tie struct {
	id       uint32
	call, ok bool
}

// keep copies a packet and its octets.
func keep(h *half, p *packet) *held {
	k := &held{packet: *p, half: h, ib: *p.ib}
	k.ib.Octets = append([]byte(nil), p.ib.Octets...)
	k.packet.ib = &k.ib
	return k
}

// cost is the memory that a kept packet takes, in octets, more or less.
func (k *held) cost() int { return len(k.ib.Octets) + 384 }
