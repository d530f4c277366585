package tcp

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
)

// acknowledgements are what the receiver of a stream said that it has of it.
type acknowledgements struct {
	ack    ack    // the highest
	window uint16 // that came with it
	file   int    // that has it
	// proof is the first that covered the hole that is there.
	proof ack
	// dups counts what RFC 5681 section 2 calls duplicate acknowledgements of
	// the highest, once each, of the same file.
	dups int
	last order.Sighting // of them, or of the acknowledgement
	// sacked are the blocks of the last acknowledgement, at sackedAt.
	sacked   [link.MaxSACKBlocks]link.SACKBlock
	blocks   int
	sackedAt int64
	// tsval is the highest that the sender of the stream gave, if begun.
	tsval uint32
	begun bool
}

// An ack is an acknowledgement.
type ack struct {
	any  bool
	next uint32 // the sequence number that it names
	time int64
	// tsecr is the TSval that it echoes, if stamped: that of the segment that made
	// it come (RFC 7323 section 4.3). Early says that no segment has that so far:
	// the one that made it come follows in the capture, or is missing from it.
	tsecr          uint32
	stamped, early bool
}

// covers reports whether all up to a sequence number is acknowledged.
func (a *ack) covers(end uint32) bool { return a.any && int32(a.next-end) >= 0 }

// before reports whether the acknowledgement was sent before c came. It may be
// captured a moment before what it acknowledges.
func (a *ack) before(c *sending) bool {
	if d := int32(a.tsecr - c.tsval); a.stamped && c.stamped && d != 0 {
		return d < 0
	}
	return !a.early && c.time-a.time > order.MirrorDelay
}

// sent takes a segment of the sender.
func (a *acknowledgements) sent(t *link.Segment) {
	if t.HasTSval && (!a.begun || int32(t.TSval-a.tsval) > 0) {
		a.tsval, a.begun = t.TSval, true
	}
}

// dupThreshold is how many duplicate acknowledgements say that a segment is missing
// (RFC 5681 section 3.2).
const dupThreshold = 3

// addACK takes a segment of the receiver that has ACK.
func (a *acknowledgements) addACK(f *flow.Frame) {
	t := &f.Link.TCP
	d := int32(t.Ack - a.ack.next)
	if a.ack.any && d < 0 {
		return // it came late
	}
	now := order.Sighting{Ident: uint32(f.Link.IPID)<<16 | uint32(t.Checksum), Whole: true, Time: f.Time}
	switch {
	case !a.ack.any || d > 0:
		a.ack = ack{true, t.Ack, f.Time, t.TSecr, t.HasTSval, t.HasTSval && (!a.begun || int32(t.TSecr-a.tsval) > 0)}
		a.dups, a.file, a.last = 0, int(f.File), now
	case f.PayloadLength() == 0 && t.Window == a.window && t.Flags.Control() == 0 && int(f.File) == a.file && !a.last.Near(now):
		a.dups++
		a.last = now
	}
	a.window = t.Window
	a.blocks, a.sackedAt = len(f.Link.AppendSACK(a.sacked[:0], f.Data)), f.Time
}

// prove notes that the highest acknowledgement covers a hole, which ends there.
func (a *acknowledgements) prove(end uint32) {
	if !a.proof.covers(end) || int32(a.proof.next-a.ack.next) > 0 {
		a.proof = a.ack
	}
}

// has reports whether the receiver had the bytes of c, which reach to end, before
// it was given them with c.
func (a *acknowledgements) has(c *sending, end uint32) bool {
	if a.ack.covers(end) {
		return a.ack.before(c) || a.proof.covers(end) && a.proof.before(c)
	}
	for _, b := range a.sacked[:a.blocks] {
		if int32(c.seq-b.Start) >= 0 && int32(b.End-end) >= 0 {
			return c.time-a.sackedAt > order.MirrorDelay
		}
	}
	return false
}

// lacks reports whether the receiver said that it lacks the bytes of c, which
// reach to end, and has some after them.
func (a *acknowledgements) lacks(c *sending, end uint32) bool {
	if !a.ack.any || int32(c.seq-a.ack.next) < 0 || a.has(c, end) {
		return false
	}
	for _, b := range a.sacked[:a.blocks] {
		if int32(b.Start-end) >= 0 {
			return true
		}
	}
	return a.dups >= dupThreshold && a.ack.next == c.seq
}

// answers reports whether bytes that begin with c and come in order were
// acknowledged before they were captured.
func (a *ack) answers(c *sending) bool {
	if !a.any || int32(a.next-c.seq) <= 0 {
		return false
	}
	if a.stamped && c.stamped {
		// Were it sent again, its time stamp would be newer than that of the first.
		return int32(a.tsecr-c.tsval) >= 0
	}
	return c.time-a.time < leastRTO
}

// leastRTO is the shortest time in nanoseconds after which a sender that hears nothing sends
// again, as Linux has it (RFC 6298, section 2.4, wants a second).
const leastRTO = 200_000_000
