package trans

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A step is how far the streams of the two ends of an iWARP connection were
// captured. Where the directions are not captured in step, as with a mirror port for
// each or with two files, what one end sends comes before that which it answers.
type step struct {
	// next is the sequence number after what TCP brought in order of each end, if
	// begun.
	next  [2]uint32
	begun [2]bool
}

// segment notes a frame of TCP.
func (s *step) segment(v *dissect.FrameView) {
	t, end := &v.Link.TCP, v.Verdict.From&1
	if v.Verdict.Note != flow.InOrder || v.Link.TCPData() == 0 {
		return
	}
	n := uint32(max(v.Link.End()-v.Link.TCPData(), 0))
	if n == 0 && s.begun[end] && int32(t.Seq-s.next[end]) > 0 {
		return // a FIN that came before what it follows
	}
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
