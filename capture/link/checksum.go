package link

import "slices"

// A Checksum is one of the Internet checksums of a frame (RFC 1071): that of an IPv4 header, or of UDP
// or TCP with the pseudo header before it.
type Checksum struct {
	// At is where its two bytes are. Whole says that what it sums was captured.
	At    int
	Whole bool
	// start and end bound what is summed, and addresses is where the addresses are that come before,
	// of which there are so many bytes; protocol is theirs.
	start, end         int
	addresses, numbers int
	protocol           uint64
}

// Checksums are those of the headers that were found, from the outside in.
func (h *Headers) Checksums() (list []Checksum) {
	var network Checksum // the last IP header: where its addresses are, and where it ends
	for _, l := range h.list[:h.n] {
		at, end := int(l.offset), int(l.offset)+int(l.size)
		switch l.kind {
		case kindIPv4:
			if at+ipv4Size > len(h.data) {
				return list
			}
			header := at + 4*int(h.data[at]&0xf)
			list = append(list, Checksum{At: at + 10, Whole: header <= len(h.data), start: at, end: header})
			network = Checksum{addresses: at + 12, numbers: 8, end: at + int(h.data[at+2])<<8 + int(h.data[at+3])}
		case kindIPv6:
			if end > len(h.data) {
				return list
			}
			network = Checksum{addresses: at + 8, numbers: 32, end: at + ipv6Size + int(h.data[at+4])<<8 + int(h.data[at+5])}
		case kindUDP:
			if end > len(h.data) || network.numbers == 0 {
				return list
			}
			c := network
			c.At, c.start, c.protocol = at+6, at, 17
			c.end = at + int(h.data[at+4])<<8 + int(h.data[at+5])
			c.Whole = c.end >= end && c.end <= len(h.data)
			list = append(list, c)
		case kindTCP:
			if end > len(h.data) || network.numbers == 0 {
				return list
			}
			c := network
			c.At, c.start, c.protocol = at+16, at, 6
			c.Whole = c.end >= end && c.end <= len(h.data)
			list = append(list, c)
		}
	}
	return list
}

// HasPartial reports whether an adapter may be left to compute the checksum, with Partial in its
// place.
func (c *Checksum) HasPartial() bool { return c.numbers > 0 }

// Partial is the sum over the pseudo header of a frame alone.
func (c *Checksum) Partial(frame []byte) uint16 {
	return folded(sum16(frame[c.addresses:c.addresses+c.numbers]) + c.protocol + uint64(c.end-c.start))
}

// Sum is the checksum that a frame, all that is summed being there, should carry.
func (c *Checksum) Sum(frame []byte) uint16 {
	b := slices.Clone(frame[c.start:c.end])
	b[c.At-c.start], b[c.At-c.start+1] = 0, 0
	sum := sum16(b)
	if c.numbers > 0 {
		sum += uint64(c.Partial(frame))
	}
	s := ^folded(sum)
	if s == 0 && c.protocol == 17 {
		return 0xffff // 0 is for none (RFC 768)
	}
	return s
}
