package trans

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A step is whether the two directions of a connection are captured in step. Where
// they are not, as with a mirror port for each or with two files, what one end
// sends comes before that which it answers.
type step struct {
	// next is the sequence number behind what TCP brought in order of each end, if
	// begun.
	next  [2]uint32
	begun [2]bool
	// broken says that an end acknowledged what the capture had not brought by
	// then. It is said too where frames are missing.
	broken bool
	// early says that an end acknowledged something before the capture had any
	// request, which shows the same unless it began late.
	early bool
}

// acknowledged notes that an end knew a PSN of its peer, of which q are the requests.
func (s *step) acknowledged(q *requests, psn uint32) {
	const far = 1 << 16 // PSNs: that is not a request that is yet to come
	if q == nil || q.n == 0 {
		s.early = true
		return
	}
	if s.broken {
		return
	}
	d := rocev2.PSNDiff(psn, q.newest().last)
	s.broken = d > 0 && d < far
}

// kept reports whether nothing shows that the directions of a connection are out of
// step. It is to be asked at the end.
func (s *step) kept(c *rules.Conn) bool {
	return !s.broken && (!s.early || c.BeganLate()) && c.Reordered == 0
}

// segment notes a frame of TCP.
func (s *step) segment(v *dissect.FrameView) {
	t, end := &v.Link.TCP, v.Verdict.From&1
	if t.Flags.Has(link.ACK) && !s.has(end^1, t.Ack) {
		s.broken = true
	}
	if v.Verdict.Note != flow.InOrder || t.Data == 0 {
		return
	}
	n := uint32(max(v.Link.End-t.Data, 0))
	if t.Flags.Has(link.FIN) {
		n++
	}
	if n > 0 {
		s.next[end], s.begun[end] = t.Seq+n, true
	}
}

// has reports whether the stream of an end was captured up to a sequence number, or
// nothing of it was so far.
func (s *step) has(end flow.End, number uint32) bool {
	return !s.begun[end] || int32(number-s.next[end]) <= 0
}
