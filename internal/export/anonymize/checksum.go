package anonymize

import (
	"bytes"
	"encoding/binary"

	"github.com/rdmacap/rdmacap/rocev2"
)

// check is what a checksum becomes that was carried where another was right, where now is right. One
// that was right is right; no checksum (zeros, ones) stays none. Else it stays wrong, by a
// difference of its own: the one that it had would tell something of the bytes that were summed.
func (p *Plan) check(carried, right, now []byte) []byte {
	none := all(carried, 0) || all(carried, 0xff)
	switch {
	case bytes.Equal(carried, right):
		return now
	case none:
		return carried
	}
	return p.wrong(carried, now)
}

// wrong is a checksum that is not the right one.
func (p *Plan) wrong(carried, right []byte) []byte {
	sum := p.key.sum("checksum", carried)
	out := append([]byte(nil), sum[:len(right)]...)
	if bytes.Equal(out, right) {
		out[0] ^= 0x55
	}
	return out
}

// seal computes the checksums of the frame that is rewritten: from the inside out, since those
// outside sum those inside.
func (p *Plan) seal(f *frame, was []byte) {
	if f.ib {
		p.icrc(f, was) // which does not sum the checksums of IP and UDP
	}
	for i := len(f.sums) - 1; i >= 0; i-- {
		c := &f.sums[i]
		carried := was[c.At : c.At+2]
		if !c.Whole {
			// It would tell something of the bytes that are not there.
			if copy(p.out[c.At:], carried); carried[0]|carried[1] != 0 {
				copy(p.out[c.At:], p.wrong(carried, carried))
			}
			continue
		}
		right, now := c.Sum(was), c.Sum(p.out)
		switch {
		case binary.BigEndian.Uint16(carried) == 0 && right != 0:
			copy(p.out[c.At:], carried) // none, or left to the adapter
		case c.HasPartial() && binary.BigEndian.Uint16(carried) == c.Partial(was):
			binary.BigEndian.PutUint16(p.out[c.At:], c.Partial(p.out))
		default:
			copy(p.out[c.At:], p.check(carried, binary.BigEndian.AppendUint16(nil, right), binary.BigEndian.AppendUint16(nil, now)))
		}
	}
}

// icrc computes the ICRC of the frame that is rewritten.
func (p *Plan) icrc(f *frame, was []byte) {
	right, carried, ok := rocev2.ICRC(was, &f.lower)
	if !ok {
		return
	}
	now, _, ok := rocev2.ICRC(p.out, &f.lower)
	if !ok {
		return
	}
	word := func(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }
	copy(p.out[f.lower.End()-rocev2.ICRCSize:], p.check(word(carried), word(right), word(now)))
}
