package iwarp

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/field"
)

// inPlace hands on the FPDUs that b begins with and holds whole, and returns how
// many bytes they are. It stops before one that needs a closer look.
func (f *Framer) inPlace(b []byte) (done int) {
	var header [UntaggedSize]byte
	for {
		rest := b[done:]
		l, ok := f.marking.measure(f.from, rest)
		if !ok || len(rest) < l.total || !Plausible(l.ulpdu(rest, header[:], UntaggedSize), l.ulpduLength) {
			return done
		}
		f.deliver(rest[:l.total], &l, Whole)
		done += l.total
	}
}

// step looks at the FPDU whose place is at the front of what is kept, and
// reports whether there is more to do.
//
// One that does not look like a DDP segment is handed on too if its place is
// sure and its length right: it is then a bad message, and not a bad place. A
// right CRC proves that, and so do FPDUs after it that a hunt would find. In
// doubt it is the place that is wrong: nothing that a message could be made of
// comes of it.
func (f *Framer) step() (again bool) {
	if f.from == f.at {
		return false
	}
	b, cut := f.kept.from(f.from)
	if len(b) == 0 {
		f.lose(f.from)
		return true
	}
	l, ok := f.marking.measure(f.from, b)
	if over := cut != Whole || f.flushed; !ok || len(b) < l.reach() && !over {
		if over {
			f.lose(f.from)
			return true
		}
		f.want = f.from + headerReach
		if ok {
			f.want = f.from + uint64(l.reach())
		}
		return false
	}
	var header [UntaggedSize]byte
	good := Plausible(l.ulpdu(b, header[:], UntaggedSize), l.ulpduLength)
	if !good && (f.doubt || cut != Whole && len(b) < l.total) {
		f.loseFraming(b, &l)
		return true
	}
	end := f.from + uint64(l.total)
	switch {
	case end <= f.at:
	case !f.flushed:
		f.want = end
		return false
	case !good:
		f.loseFraming(b, &l)
		return true
	case cut == Whole:
		cut = CutByLoss
	}
	if len(b) >= l.total {
		b, cut = b[:l.total], Whole
	}
	if !good {
		switch f.prove(b, &l) {
		case waiting:
			return false
		case rejected:
			f.loseFraming(b, &l)
			return true
		}
	}
	f.deliver(b, &l, cut)
	f.from = min(end, f.at)
	f.kept.drop(f.from)
	return true
}

// prove looks for what shows that the bytes b are an FPDU although they do not
// look like one.
func (f *Framer) prove(b []byte, l *layout) verdict {
	carried, computed := l.sum(b)
	if carried == computed && carried != 0 {
		return locked
	}
	end := f.from + uint64(l.total)
	if f.flushed && end == f.at {
		return locked
	}
	c := f.follow(end)
	f.want = c.want
	if c.verdict == waiting && l.tooShort(b) && !f.mayBegin(end) {
		return rejected
	}
	return c.verdict
}

// mayBegin reports whether what there is from a position on may be a DDP segment in an FPDU, as nothing is.
func (f *Framer) mayBegin(at uint64) bool {
	b, _ := f.kept.from(at)
	l, ok := f.marking.measure(at, b)
	if !ok {
		return true
	}
	var header [UntaggedSize]byte
	return Plausible(l.ulpdu(b, header[:], UntaggedSize), l.ulpduLength)
}

// tooShort reports whether the FPDU that begins with b has no room for a DDP header, and is none of no
// bytes, with which a peer may say that it is ready (RFC 6581, section 4.3).
func (l *layout) tooShort(b []byte) bool {
	var header [1]byte
	return l.ulpduLength > 0 && l.ulpduLength < LeastULPDU(l.ulpdu(b, header[:], min(1, l.ulpduLength)))
}

// LeastULPDU is how many bytes a ULPDU has at least, whose first byte says whether it is tagged.
func LeastULPDU(ulpdu []byte) int {
	if len(ulpdu) == 0 || ulpdu[0]&bitTagged != 0 {
		return TaggedSize
	}
	return UntaggedSize
}

// sum returns the CRC of a whole FPDU and what it should be.
func (l *layout) sum(b []byte) (carried, computed uint32) {
	at := l.total - crcSize
	return binary.BigEndian.Uint32(b[at:]), CRC(b[:at])
}

// deliver hands an FPDU on, of which b is what there is, and counts it.
func (f *Framer) deliver(b []byte, l *layout, cut Cut) {
	o := &f.out
	*o = FPDU{} // a literal would be put together elsewhere and copied
	o.At, o.Length, o.Raw, o.Cut = f.from, l.total, b, cut
	o.FirstMarker, o.ULPDULength = l.marker, l.ulpduLength
	if l.marker >= 0 {
		_, o.Fault = l.checkMarkers(b)
	}
	if l.inner() >= l.start+lengthSize+l.ulpduLength {
		o.ULPDU = l.ulpdu(b, nil, l.ulpduLength)
	} else {
		f.gather = l.ulpdu(b, f.gather, l.ulpduLength)
		o.ULPDU = f.gather
	}
	if cut == Whole {
		if f.crc.checks() {
			o.CRC, o.Computed = l.sum(b)
			o.CRCState = f.crc.note(o.CRC, o.Computed)
		} else {
			o.CRC, o.CRCState = binary.BigEndian.Uint32(b[l.total-crcSize:]), CRCNotUsed
		}
	}
	f.doubt = o.CRCState == CRCWrong
	if u := o.ULPDU; len(u) >= UntaggedSize && u[0]&bitTagged == 0 && !f.doubt {
		if t := traitOf(u); t.qn == 0 {
			f.sent = t
		}
	}
	f.from += uint64(l.total)
	f.to.FPDU(o)
}

const faultLost = "no FPDU begins where the one before it ends"

// loseFraming says where no FPDU is that must be there, and hunts after it.
func (f *Framer) loseFraming(b []byte, l *layout) {
	n := l.start + lengthSize
	f.out = FPDU{
		At: f.from, Length: n, Raw: b[:n], FirstMarker: -1, ULPDULength: l.ulpduLength,
		Lost: true, Fault: field.Fault{Offset: l.start, Reason: faultLost},
	}
	if l.start > 0 {
		f.out.FirstMarker = 0
	}
	var header [1]byte
	f.out.Least = LeastULPDU(l.ulpdu(b, header[:], min(1, l.ulpduLength)))
	f.to.FPDU(&f.out)
	f.lose(f.from + uint64(n))
}

// lose goes hunting from a position on. What is known of markers and CRCs stays
// known, and that this is iWARP.
func (f *Framer) lose(at uint64) {
	f.mode, f.strict, f.doubt = hunting, false, false
	f.lost, f.from, f.want, f.looked = at, at, 0, 0
	f.kept.drop(at)
}
