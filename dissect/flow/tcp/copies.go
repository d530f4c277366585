package tcp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/dissect/ring"
)

// A segment whose bytes were all seen before is one of three: the very frame,
// captured again; sent again; or the first one after all, which a capture has
// after the one that was retransmitted. What tells, the best first:
//
//	IPv4 identification   of a sender that counts: the same only in copies
//	TSval, TSecr, Ack     the same in copies; a later TSval was sent later
//	the file              each has a frame once: what one file has twice was
//	                      sent twice, the second time of another is a copy
//	time                  copies in one file are near to each other
//
// The checksum tells nothing by itself: the sender's own capture mostly has it
// before the adapter computes it.

// A sending is a segment with bytes as it was sent once.
type sending struct {
	seq, ack       uint32
	tsval, tsecr   uint32
	ipid, checksum uint16
	stamped        bool   // it has time stamps
	counted        bool   // the sender counts its identifications
	firstInFile    bool   // its file had nothing of it so far, while another may
	second         bool   // it was retransmitted, and the first one was seen
	files          uint64 // those that have it, a bit for each
	time           int64  // when the last copy was seen
}

// set makes c what a frame says of itself.
func (c *sending) set(f *flow.Frame, counted bool) {
	t := &f.Link.TCP
	c.seq, c.ack, c.tsval, c.tsecr, c.stamped = t.Seq, t.Ack, t.TSval, t.TSecr, t.HasTSval
	c.ipid, c.checksum, c.counted = f.Link.IPID, t.Checksum, counted
	c.files, c.time = order.FileBit(int(f.File)), f.Time
	c.firstInFile, c.second = false, false
}

// copyOf reports whether c, of the same sequence number, is that frame again.
func (e *sending) copyOf(c *sending) bool {
	stamps := e.stamped && c.stamped && e.tsval == c.tsval && e.tsecr == c.tsecr && e.ack == c.ack
	near := max(c.time-e.time, e.time-c.time) <= order.MirrorDelay
	switch {
	case e.ipid == c.ipid && (c.counted || near && (stamps || e.checksum == c.checksum)):
		return true
	case e.files&c.files != 0:
		return false // that file has it
	case e.stamped && c.stamped:
		return stamps
	case e.second && c.firstInFile:
		return false // it is a copy of the first
	}
	return !c.counted
}

// sentSince compares when two segments were sent: 1 if c was sent later, -1 if it
// was sent earlier, 0 if nobody can say.
func (c *sending) sentSince(tsval uint32, stamped bool, ipid uint16) int {
	var d int32
	if c.counted {
		d = int32(int16(c.ipid - ipid))
	} else if stamped && c.stamped {
		d = int32(c.tsval - tsval)
	}
	switch {
	case d > 0:
		return 1
	case d < 0:
		return -1
	}
	return 0
}

// sendings remembers the last segments of a number.
type sendings struct{ ring.Ring[sending] }

// maxSent is how many segments are remembered, maxResent how many of those that were
// sent again besides.
const (
	maxSent   = 64
	maxResent = 256
)

// note remembers a segment, one of the last most.
func (r *sendings) note(c *sending, most int) {
	*r.Add(most) = *c
}

// A copyMatch is what is known of the segments of one sequence number.
type copyMatch struct {
	same  bool // it is a copy of one of them, which is noted
	any   bool // there are some
	first bool // and among them one before which none was seen
	since int  // it was sent after all of them (1), or before one (-1)
}

// findCopy looks for segments of c's sequence number, the oldest first.
func (r *sendings) findCopy(c *sending) (f copyMatch) {
	f.since = 1
	for e := range r.All() {
		if e.seq != c.seq {
			continue
		}
		if e.copyOf(c) {
			e.files |= c.files
			e.time = c.time
			f.same = true
			return f
		}
		f.any = true
		f.first = f.first || !e.second
		f.since = min(f.since, c.sentSince(e.tsval, e.stamped, e.ipid))
	}
	return f
}
