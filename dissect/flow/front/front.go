package front

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// An Arrival is what a Front says of a frame.
type Arrival struct {
	// Ordinal is the 1-based number of the frame in the capture, over all files.
	Ordinal int64
	// Shard is who follows it.
	Shard int
	// Damaged says that its ICRC is wrong since it was damaged on its way, and not
	// since the capture lies before the place where the sender's adapter computes
	// it.
	Damaged bool
}

// A Front takes the frames of a capture in their order. Its memory is bounded.
type Front struct {
	frames int64
	trust  trust
	shards shards
}

// New returns a Front for a number of shards.
func New(n int) *Front {
	f := &Front{trust: newTrust()}
	f.shards.n, f.shards.load = n, make([]int64, n)
	return f
}

// Arrive takes the next frame, its headers decoded. What used its names in another
// shard before it is to be retired there first.
func (t *Front) Arrive(f *flow.Frame) (a Arrival, retired []Retired) {
	t.frames++
	a.Ordinal = t.frames
	ib := f.HasIB()
	if ib {
		switch f.IB.Check {
		case rocev2.ICRCRight:
			t.trust.believe(f.Link.Src())
		case rocev2.ICRCWrong:
			a.Damaged = t.trust.damaged(f.Link.Src(), f.Link.Dst())
		}
	}
	if t.shards.n > 1 {
		a.Shard, retired = t.shards.of(f, ib, a.Damaged)
	}
	return a, retired
}

// Frames is how many frames came.
func (t *Front) Frames() int64 { return t.frames }

// Trusted is how many addresses are known to send right ICRCs.
func (t *Front) Trusted() int { return len(t.trust.trusted) }
