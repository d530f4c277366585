package order

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// MirrorDelay is how far apart, in nanoseconds, a mirror gives the two copies
// of a frame.
const MirrorDelay = 50_000

// A Sighting is a frame by its identity, and when it was seen.
type Sighting struct {
	// Ident is the ICRC if it is whole, which covers the IPv4 identification and
	// the whole packet: frames of the same are the same to the byte. Where the snap
	// length cut the ICRC off, Outline has to do: the identification, and the length
	// of the packet.
	Ident, Outline uint32
	Whole          bool  // Ident is an ICRC
	Time           int64 // nanoseconds since 1970
}

// SightingOf is that of a frame.
func SightingOf(f *flow.Frame) Sighting {
	return Sighting{
		Ident: f.IB.ICRC, Whole: f.IB.Check != rocev2.ICRCUnchecked, Time: f.Time,
		Outline: uint32(f.Link.IPID)<<16 | uint32(f.Link.End()-f.Link.Network())&0xffff,
	}
}

// Is reports whether two frames seem to be the same.
func (s Sighting) Is(o Sighting) bool {
	if s.Whole && o.Whole {
		return s.Ident == o.Ident
	}
	return s.Outline == o.Outline
}

// Near reports whether two are the same, and near to each other.
func (s Sighting) Near(o Sighting) bool {
	d := o.Time - s.Time
	return s.Is(o) && -MirrorDelay <= d && d <= MirrorDelay
}

// FileBit is the bit of a file in a set. Sixty-four files are told apart.
func FileBit(file int) uint64 { return 1 << (uint(file) % 64) }
