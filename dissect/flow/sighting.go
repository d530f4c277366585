package flow

import "github.com/rdmacap/rdmacap/rocev2"

// mirrorDelay is how far apart, in nanoseconds, a mirror gives the two copies
// of a frame.
const mirrorDelay = 50_000

// sighting is a frame by its identity, and when it was seen.
type sighting struct {
	// ident is the ICRC if it is whole, which covers the IPv4 identification and
	// the whole packet: frames of the same are the same to the octet. Where the snap
	// length cut the ICRC off, outline has to do: the identification, and the length
	// of the packet.
	ident, outline uint32
	whole          bool
	time           int64
}

func (f *Frame) sighting() sighting {
	return sighting{
		ident: f.IB.ICRC, whole: f.IB.Check != rocev2.ICRCUnchecked, time: f.Time,
		outline: uint32(f.Link.IPID)<<16 | uint32(f.Link.End()-f.Link.Network())&0xffff,
	}
}

// is reports whether two frames seem to be the same.
func (s sighting) is(o sighting) bool {
	if s.whole && o.whole {
		return s.ident == o.ident
	}
	return s.outline == o.outline
}

// near reports whether two are the same, and near to each other.
func (s sighting) near(o sighting) bool {
	d := o.time - s.time
	return s.is(o) && -mirrorDelay <= d && d <= mirrorDelay
}

// fileBit is the bit of a file in a set. Sixty-four files are told apart.
func fileBit(file int) uint64 { return 1 << (uint(file) % 64) }
