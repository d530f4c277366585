package iwarp

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/field"
)

// marking says where the markers of a direction stand: nowhere, or at the
// positions of the stream that are phase modulo the interval (RFC 5044 section
// 4.3).
type marking struct {
	on    bool
	phase uint64
}

// next is the distance from a position to the first marker at or after it, in
// bytes, -1 if there are no markers.
func (m marking) next(at uint64) int {
	if !m.on {
		return -1
	}
	return int((m.phase - at) % fpduMarkerInterval)
}

const (
	lengthSize = 2 // bytes of ULPDU_Length
	crcSize    = 4 // bytes of the CRC field

	// maxFPDU is the most bytes of the stream that an FPDU takes: the longest
	// ULPDU, padded, and a marker for every 508 bytes begun.
	maxFPDU = lengthSize + 65535 + 3 + crcSize + 130*fpduMarkerSize
	// headerReach is the most bytes of the stream before the end of a DDP
	// header: a marker before the FPDU, one in the header.
	headerReach = 2*fpduMarkerSize + lengthSize + UntaggedSize
)

// A layout is where the parts of an FPDU stand. All offsets count from its first
// byte, which is that of the marker directly before ULPDU_Length if there is
// one, as that marker belongs to it.
type layout struct {
	marker      int // of the first marker, -1 if it has none
	start       int // of ULPDU_Length
	ulpduLength int
	total       int // bytes of the stream
}

// measure lays out the FPDU at that position of the stream, whose first bytes
// are b. It is not ok if b does not reach to the end of ULPDU_Length. Markers
// and FPDUs are multiples of four bytes, so no marker parts a ULPDU_Length or
// a CRC.
func (m marking) measure(at uint64, b []byte) (l layout, ok bool) {
	l.marker = m.next(at)
	if l.marker == 0 {
		l.start = fpduMarkerSize
	}
	if len(b) < l.start+lengthSize {
		return l, false
	}
	l.ulpduLength = int(binary.BigEndian.Uint16(b[l.start:]))
	l.total = (lengthSize+l.ulpduLength+3)&^3 + crcSize
	// A marker after the last byte is the next FPDU's.
	if l.total > l.marker && l.marker >= 0 {
		const between = fpduMarkerInterval - fpduMarkerSize
		l.total += fpduMarkerSize * (1 + (l.total-l.marker-1)/between)
	} else {
		l.marker = -1
	}
	return l, true
}

// inner is the offset of the first marker after ULPDU_Length, or something
// beyond the FPDU.
func (l *layout) inner() int {
	switch {
	case l.marker < 0:
		return l.total
	case l.marker == 0:
		return fpduMarkerInterval
	}
	return l.marker
}

// reach is the offset of the end of the DDP header, as long as such headers can
// be.
func (l *layout) reach() int {
	end := l.start + lengthSize + min(l.ulpduLength, UntaggedSize)
	if l.inner() < end {
		end += fpduMarkerSize
	}
	return end
}

// ulpdu is the ULPDU's first bytes, at most n of them, without markers, as far
// as they are in b. They are in b themselves if there is no marker between
// them, and otherwise copied to dst[:0].
func (l *layout) ulpdu(b, dst []byte, n int) []byte {
	n = min(n, l.ulpduLength)
	from, marker := l.start+lengthSize, l.inner()
	if from+n <= marker {
		return b[min(from, len(b)):min(from+n, len(b))]
	}
	dst = dst[:0]
	for from < len(b) && len(dst) < n {
		to := min(from+n-len(dst), marker, len(b))
		dst = append(dst, b[from:to]...)
		from, marker = marker+fpduMarkerSize, marker+fpduMarkerInterval
	}
	return dst
}

// The faults of markers.
const (
	faultMarkerReserved = "reserved bits of the marker are not zero"
	faultMarkerPointer  = "FPDUPTR does not lead back to the ULPDU_Length"
	faultMarkerLowBits  = "FPDUPTR is not a multiple of four"
)

// checkMarkers looks at the markers of the FPDU that are wholly in b. It returns
// how many there are before the first wrong one, and what is wrong with it. The
// reserved bits and the lower two of FPDUPTR are faults of a sender that do not
// mislead a receiver, which ignores them (RFC 5044 section 4.3).
func (l *layout) checkMarkers(b []byte) (n int, fault field.Fault) {
	if l.marker < 0 {
		return 0, field.Fault{}
	}
	for at := l.marker; at+fpduMarkerSize <= min(len(b), l.total); at += fpduMarkerInterval {
		pointer := binary.BigEndian.Uint16(b[at+2:])
		switch {
		case pointer&^3 != uint16(max(at-l.start, 0)):
			return n, field.Fault{Offset: at + 2, Reason: faultMarkerPointer}
		case pointer&3 != 0:
			return n, field.Fault{Offset: at + 3, Reason: faultMarkerLowBits}
		case b[at]|b[at+1] != 0:
			return n, field.Fault{Offset: at, Reason: faultMarkerReserved}
		}
		n++
	}
	return n, field.Fault{}
}
