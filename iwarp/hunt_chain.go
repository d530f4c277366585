package iwarp

import "encoding/binary"

// A verdict is what a hunt thinks of a position.
type verdict uint8

const (
	rejected verdict = iota
	waiting          // for bytes to come
	locked
)

// A chain is a walk from FPDU to FPDU and what it has found.
type chain struct {
	f       *Framer
	start   uint64
	marking marking
	// proven says that the marking is known and not only tried.
	proven bool

	at, before uint64 // of the FPDU to look at, and of the one before it
	passed     int    // FPDUs before at
	whole      int    // of these, captured whole
	right      int    // of these, with a right CRC that is not zero
	zero       int    // of these, with a CRC field of zero that is not right
	markers    int    // right ones

	witness  bool // something but the chain speaks for the first FPDU
	goesOn   bool // a Send in it has an MSN that follows the newest before the hunt
	firstSum bool // its CRC is right and not zero
	first    trait

	verdict verdict
	want    uint64 // waiting: for which position
	broken  bool   // rejected: there is no header at at
}

// follow judges a position of what is kept.
func (f *Framer) follow(start uint64) chain {
	if f.known {
		return f.chain(start, f.marking)
	}
	if b, _ := f.kept.from(start); len(b) >= fpduMarkerSize && binary.BigEndian.Uint32(b) == 0 {
		return f.chain(start, markingAt(start))
	}
	c := f.chain(start, marking{})
	if !c.broken {
		return c
	}
	// There may be a marker in the last FPDU or before the next.
	var tries [8]marking
	for _, m := range c.suspects(tries[:0]) {
		if again := f.chain(start, m); again.verdict != rejected {
			return again
		}
	}
	return c
}

// chain follows the chain from a position, if markers stand as said.
func (f *Framer) chain(start uint64, m marking) chain {
	c := chain{f: f, start: start, at: start, before: start, marking: m, proven: f.known}
	// An FPDU is a multiple of four bytes from each marker, and begins with the
	// marker directly before its ULPDU_Length.
	if n := m.next(start); n < 0 || n%4 == 0 && n != fpduMarkerInterval-fpduMarkerSize {
		c.walk()
	}
	return c
}

func markingAt(at uint64) marking { return marking{on: true, phase: at % fpduMarkerInterval} }

// suspects appends where a first marker may stand in a chain that goes without
// and is broken at at: directly there, or, with the right distance in it, in the
// FPDU before it or in the header there.
func (c *chain) suspects(list []marking) []marking {
	b, _ := c.f.kept.from(c.at)
	if len(b) >= fpduMarkerSize && binary.BigEndian.Uint32(b) == 0 {
		list = append(list, markingAt(c.at))
	}
	list = suspectsIn(list, b[:min(len(b), headerReach)], c.at)
	if c.before < c.at {
		b, _ = c.f.kept.from(c.before)
		list = suspectsIn(list, b[:min(len(b), fpduMarkerInterval)], c.before)
	}
	return list
}

func suspectsIn(list []marking, b []byte, at uint64) []marking {
	for off := fpduMarkerSize; off+fpduMarkerSize <= len(b) && off < fpduMarkerInterval-fpduMarkerSize && len(list) < cap(list); off += 4 {
		if binary.BigEndian.Uint32(b[off:]) == uint32(off) {
			list = append(list, markingAt(at+uint64(off)))
		}
	}
	return list
}

// walk follows the chain until it can be judged.
func (c *chain) walk() {
	for c.verdict = waiting; c.verdict == waiting && c.want == 0; {
		c.look()
	}
	if c.verdict == waiting && c.want-c.start > maxChain {
		c.verdict = rejected
	}
}

// look goes over one FPDU of the chain. It sets the verdict, or want, or moves on.
func (c *chain) look() {
	f := c.f
	if c.at >= f.at {
		c.stop(Whole, headerReach, true)
		return
	}
	b, cut := f.kept.from(c.at)
	l, ok := c.marking.measure(c.at, b)
	switch {
	case !ok:
		c.stop(cut, headerReach, false)
		return
	case len(b) < l.reach():
		c.stop(cut, l.reach(), false)
		return
	}
	var header [UntaggedSize]byte
	h := l.ulpdu(b, header[:], UntaggedSize)
	if !Plausible(h, l.ulpduLength) {
		c.verdict, c.broken = rejected, true
		return
	}
	b = b[:min(len(b), l.total)]
	n, fault := l.checkMarkers(b)
	if fault.Bad() {
		c.verdict = rejected
		return
	}
	c.meet(h, &l, n)
	if c.decide(true); c.verdict != waiting {
		return
	}
	if end := c.at + uint64(l.total); end > f.at {
		c.stop(Whole, l.total, true)
		return
	}
	c.pass(b, &l)
	c.markers += n
	c.before, c.at = c.at, c.at+uint64(l.total)
	if c.verdict == waiting {
		c.decide(false)
	}
}
