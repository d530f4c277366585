package tcp

import (
	"slices"
	"unsafe"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
)

// The two directions of a TCP connection are put in order each by itself, and
// one may have to wait, for bytes that are missing so far or for FPDUs to be
// found, while the other goes on. What the other says then must wait too: an RDMA
// Write comes after the call that advertised the memory, whichever stream was
// whole first. So it is postponed, and both go on in the order of capture.
//
//	client ─── call ┐ a segment is missing        ┌ call, handed on
//	server          │   Write, reply, postponed   │ Write, reply
//	frames ─────────┴─────────────────────────────┴───────────────>

// An event is a DDP segment, or the end of the message before it, that waits for
// the other direction.
type event struct {
	segment
	due    int64  // where it belongs, see postponed
	broken string // why the message before it breaks off, if it is no segment
	unsure bool   // and messages may be missing
	size   int    // memory that it takes, in bytes
}

// postponed are the events of one side that wait for the other one, in order.
//
// Where an event belongs among those of the other side is reported by twice the
// frame count of the connection when it came. It is one less for what fills a
// hole after the other side had acknowledged that: it came before that then.
type postponed struct {
	list  []*event
	bytes int
	due   int64 // of the event that is taken
}

// Limits on what one side postpones.
const (
	maxPostponed      = 256
	maxPostponedBytes = 1 << 20
	eventCost         = 512 // bytes of memory beside the segment's own
	pieceCost         = int(unsafe.Sizeof(flow.Piece{}))
)

func (q *postponed) tooMuch() bool {
	return len(q.list) > maxPostponed || q.bytes > maxPostponedBytes
}

// arrived notes the frame count with which what is taken next came, which ends
// at a position of the stream. That is in order, so nothing in it belongs before
// what precedes it.
func (s *direction) arrived(seq int64, end uint64) {
	due := 2 * seq
	if s.provenAt != 0 && end <= s.provenEnd {
		due = min(due, 2*s.provenAt-1)
	}
	s.postponed.due = max(s.postponed.due, due)
}

// waits reports whether what the side takes has to wait for the other one.
func (s *direction) waits() bool {
	if len(s.postponed.list) > 0 || len(s.peer.postponed.list) > 0 {
		return true
	}
	return s.peer.behind != 0 && s.postponed.due >= 2*s.peer.behind
}

// takeSegment takes a DDP segment, now or later.
func (s *direction) takeSegment(c *flow.Conn, d *segment) {
	if ends := d.pdu.OpCode == iwarp.OpTerminate && len(s.postponed.list) == 0; ends || !s.waits() {
		s.ddp(c, d) // a Terminate may be why the other side's FPDUs are not found any more
		return
	}
	e := &event{segment: *d, size: eventCost + len(d.pdu.Bytes) + pieceCost*len(d.pieces)}
	e.pdu = new(iwarp.PDU)
	*e.pdu = *d.pdu
	e.pdu.Bytes = slices.Clone(d.pdu.Bytes)
	e.refs, e.pieces = slices.Clone(d.refs), slices.Clone(d.pieces)
	s.postpone(e)
}

// breakOff gives up, now or later, the Send that the side is in the middle of.
// Unsure says that messages may be missing: which is next, and what Read the next
// response answers, is not known.
func (s *direction) breakOff(missing string, unsure bool) {
	if unsure {
		s.unread()
	}
	s.interrupt(missing, unsure)
}

// unread notes that the capture has bytes of the side that could not be read.
func (s *direction) unread() {
	s.queues, s.awaited = [4]queue{}, queue{}
	if c := s.tc.conn; c != nil {
		c.Unread = true
		c.AddHole(s.end, s.showed)
	}
}

// interrupt is breakOff where what is missing is counted elsewhere.
func (s *direction) interrupt(missing string, unsure bool) {
	if s.waits() {
		s.postpone(&event{broken: missing, unsure: unsure, size: eventCost})
		return
	}
	s.brokenOff(missing, unsure)
}

func (s *direction) brokenOff(missing string, unsure bool) {
	if missing != "" {
		s.broken(missing)
	}
	if unsure {
		s.peer.reads.known, s.between = false, false
	}
}

func (s *direction) postpone(e *event) {
	q := &s.postponed
	e.due = q.due
	q.list = append(q.list, e)
	q.bytes += e.size
}

// goOn settles what a connection with iWARP waits for, and hands on what was postponed, as
// far as that can be done by now, after a segment of a side.
func (tc *tcpConn) goOn(s *direction) {
	a, b := tc.directions[0], tc.directions[1]
	if a == nil || !a.calm() || !b.calm() {
		tc.giveUp(false)
		tc.handOn(false)
		return
	}
	a.behind, a.provenAt = 0, 0
	b.behind, b.provenAt = 0, 0
	s.account()
	if s.peer.kept != 0 { // else it has nothing still, or keepEarly counted it
		s.peer.account()
	}
}

// calm reports whether the side is in the middle of its FPDUs, and nothing of it waits or
// is missing: the common case, in which there is nothing to settle or to hand on.
func (s *direction) calm() bool {
	return s.phase == framing && s.framer.Synchronized() && s.stream.Whole() && len(s.postponed.list) == 0
}

// lookBehind notes since when the side waits for something, if it does.
func (s *direction) lookBehind() {
	waits := false
	if !s.stream.Whole() {
		n, _ := s.stream.Waiting()
		waits = n > 0 || s.stream.Proven()
	}
	switch {
	case waits:
	case s.phase == framing:
		waits = !s.framer.Synchronized() && !s.framer.Failed() && s.framer.Held() < s.framer.Position()
	case s.phase == waiting:
		waits = len(s.head) > 0
	}
	switch {
	case !waits:
		s.behind = 0
	case s.behind == 0:
		s.behind = s.tc.frames
	}
}

// handOn goes through what was postponed, as far as neither side has to wait for
// the other; with force, all of it.
func (tc *tcpConn) handOn(force bool) {
	a, b := tc.directions[0], tc.directions[1]
	if a == nil {
		return
	}
	a.lookBehind()
	b.lookBehind()
	for len(a.postponed.list)+len(b.postponed.list) > 0 {
		s := a
		if len(a.postponed.list) == 0 || len(b.postponed.list) > 0 && b.postponed.list[0].due < a.postponed.list[0].due {
			s = b
		}
		q := &s.postponed
		e := q.list[0]
		if behind := s.peer.behind; behind != 0 && e.due >= 2*behind && !force && !q.tooMuch() && tc.env.Kept <= tc.env.Limits.Kept {
			break
		}
		q.list = slices.Delete(q.list, 0, 1)
		q.bytes -= e.size
		if e.pdu == nil {
			s.brokenOff(e.broken, e.unsure)
		} else {
			s.ddp(tc.conn, &e.segment)
		}
	}
	tc.account()
}
