package iwarp

import "encoding/binary"

// The evidence that an FPDU begins at a position: a chain of FPDUs from there
// on, each beginning where the one before ends, each with the header of a DDP
// segment (see Plausible) and markers, if any, that are right.
//
// A chain is as good as its links, but it says little about where it began. Any
// 14 bits of a payload may look like a tagged header, and if the length before
// them happens to end where an FPDU ends, all that follows is true. So the first
// FPDU needs a witness of its own:
//
//   - its CRC is right and not zero: 32 bits, and enough even alone;
//   - it has a marker in it that leads back to it: 32 bits;
//   - a later FPDU of the chain has the same STag, or has the same queue and
//     about the same MSN, neither of them 0: 28 bits at least;
//   - it begins where the data of a call begins. MPA puts an FPDU at the front
//     of a TCP segment if it can, and such places are few.
//
// A CRC field of zero is no witness: it is that of the FPDU at whose end the
// chain arrives. If CRCs are known to be in use, they must be right throughout.
//
// Then the chain needs two whole FPDUs and a header after them; four FPDUs if
// they are not whole, as the snap length leaves them. A strict hunt knows of
// nothing that makes iWARP likely, and needs four whole FPDUs whose CRCs are all
// right or all zero, or any eight.
//
// Where the stream was in step before, one FPDU is enough that begins where the data of
// a call begins, or whose predecessors in the chain do, if it is of a Send whose MSN
// follows the newest one before: 64 bits say where a Send stands among the others.
//
// Where it is not known whether there are markers, a chain without any has to go
// over at least the 512 bytes in which one would have been; markers have to be
// found three in a row.

const (
	laxWhole, laxPassed       = 2, 4
	strictWhole, strictPassed = 4, 8
	// markersFound is how many markers in a row show where markers stand.
	markersFound = 3
	// lookFar is how many bytes a chain may need for that.
	lookFar = (markersFound + 2) * fpduMarkerInterval
)

// meet looks for a witness in the next FPDU.
func (c *chain) meet(h []byte, l *layout, markers int) {
	t := traitOf(h)
	if t.follows(c.f.sent) {
		c.goesOn = true
	}
	switch {
	case c.passed > 0:
		c.witness = c.witness || t.like(c.first)
		return
	case l.marker == 0:
		markers-- // it is zero, and zeros are common
	}
	c.first = t
	c.witness = markers > 0 || c.f.kept.beginAt(c.start)
}

// pass counts an FPDU whose end has come.
func (c *chain) pass(b []byte, l *layout) {
	c.passed++
	if len(b) < l.total {
		return
	}
	c.whole++
	if c.f.budget -= len(b); c.f.budget < 0 {
		c.verdict = rejected
		return
	}
	switch carried, computed := l.sum(b); {
	case carried == computed && carried != 0:
		c.right++
		c.firstSum = c.firstSum || c.passed == 1
	case c.f.crc.use == CRCUsed && c.f.looked <= trustLook:
		// There may be a marker in it that nobody stepped over.
		c.verdict, c.broken = rejected, true
	case carried == 0:
		c.zero++
	}
}

// decide decides if it can. Header says that there is one where the chain has
// got to.
func (c *chain) decide(header bool) {
	switch {
	case c.begun() && c.marked(header) && c.enough(header):
		c.verdict = locked
	case header && c.passed >= strictPassed && (c.marked(true) || c.at-c.start >= lookFar):
		c.verdict = rejected
	}
}

// begun reports whether the first FPDU has a witness.
func (c *chain) begun() bool { return c.witness || c.firstSum }

// marked reports whether it is known where markers stand. Without any, the chain
// holds as far as the last header: an FPDU that had a marker ends elsewhere.
func (c *chain) marked(header bool) bool {
	switch {
	case c.proven:
		return true
	case c.marking.on:
		return c.markers >= markersFound
	case header:
		return c.at-c.start >= fpduMarkerInterval
	}
	return c.before-c.start >= fpduMarkerInterval
}

// enough reports whether the chain is long enough.
func (c *chain) enough(header bool) bool {
	if c.f.strict {
		return c.whole >= strictWhole && (c.right == c.whole || c.zero == c.whole) || c.passed >= strictPassed
	}
	return c.firstSum || c.goesOn && c.witness && c.f.crc.use != CRCUsed || header && (c.whole >= laxWhole || c.passed >= laxPassed)
}

// stop ends the walk where there are too few bytes: it waits for n from at on,
// if they can come. If they cannot, CRC fields of zero make up for the header
// that is missing, or one FPDU more does. Where the stream ends and every byte
// fits in, there is nothing more to be had, and no marker to come that could
// prove the chain wrong.
func (c *chain) stop(cut Cut, n int, fits bool) {
	if cut == Whole && !c.f.flushed {
		c.want = c.at + uint64(n)
		return
	}
	fits = fits && cut == Whole
	c.proven = c.proven || fits && !c.marking.on
	c.verdict = rejected
	if c.begun() && c.marked(false) && c.enough(fits || c.zero == c.whole || c.whole > laxWhole) {
		c.verdict = locked
	}
}

// A trait is what segments of a sender have in common with later ones of it.
type trait struct {
	tagged bool
	qn     uint32 // untagged
	value  uint32 // STag, or MSN
}

func traitOf(header []byte) trait {
	if header[0]&bitTagged != 0 {
		return trait{tagged: true, value: binary.BigEndian.Uint32(header[2:])}
	}
	return trait{qn: binary.BigEndian.Uint32(header[6:]), value: binary.BigEndian.Uint32(header[10:])}
}

// near is how many messages later a segment may be, to be evidence.
const near = 16

// follows reports whether t is of a Send that comes after one that was handed on, whose
// last segment may be missing.
func (t trait) follows(sent trait) bool {
	return !t.tagged && t.qn == 0 && sent.value != 0 && t.value-sent.value < near
}

// like reports whether t can stand after an earlier one in the same stream, and
// not many messages later.
func (t trait) like(earlier trait) bool {
	if t.tagged != earlier.tagged || t.qn != earlier.qn || earlier.value == 0 {
		return false
	}
	if distance := t.value - earlier.value; !t.tagged {
		return distance < near
	}
	return t.value == earlier.value
}
