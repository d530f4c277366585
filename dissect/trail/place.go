package trail

// A place is one in the order in which an end sends: PSNs have 24 bits and sequence numbers of TCP
// 32. Both are in the upper bits of a place, so that they wrap alike.
type place uint32

// psn is the first place of a packet, and lastOf the last one.
func psn(n uint32) place { return place(n << 8) }

func lastOf(n uint32) place { return psn(n) | 0xff }

// before reports whether a place comes before another.
func (p place) before(o place) bool { return int32(o-p) > 0 }
