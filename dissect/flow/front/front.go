package front

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// An Arrival is what a Front says of a frame.
type Arrival struct {
	// Ordinal is the 1-based number of the frame in the capture, over all files.
	Ordinal int64
	// Count is how many frames up to this one may be of RDMA: those of the InfiniBand
	// transport, and segments of TCP connections that carry iWARP.
	Count int64
	// Shard is who follows it.
	Shard int
	// Damaged says that its ICRC is wrong since it was damaged on its way, and not
	// since the capture lies before the place where the sender's adapter computes
	// it.
	Damaged bool
}

// A Front takes the frames of a capture in their order. Its memory is bounded.
type Front struct {
	frames, count int64
	trust         trust
	segments      segments
	shards        shards
}

// New returns a Front for a number of shards; port is a TCP port that carries iWARP
// beside 20049, 0 for none.
func New(n int, port uint16) *Front {
	f := &Front{trust: newTrust()}
	f.segments.port = port
	f.shards.n, f.shards.load = n, make([]int64, n)
	return f
}

// Arrive takes the next frame, its headers decoded. What used its names in another
// shard before it is to be retired there first.
func (t *Front) Arrive(f *flow.Frame) (a Arrival, retired []Expired) {
	t.frames++
	a.Ordinal = t.frames
	switch {
	case f.HasIB():
		t.count++
		switch f.IB.Check {
		case rocev2.ICRCRight:
			t.trust.believe(f.Link.Src())
		case rocev2.ICRCWrong:
			a.Damaged = t.trust.damaged(f.Link.Src(), f.Link.Dst())
		}
		if t.shards.n > 1 {
			a.Shard, retired = t.shards.ofPacket(f, a.Damaged)
		}
	case f.Link.Transport == link.TCP && f.Link.TCPData() > 0:
		c := t.segments.streamOf(f)
		if c.takeFrame(f, t.segments.port) {
			t.count++
		}
		if t.shards.n > 1 {
			a.Shard = t.shards.ofStream(c)
		}
	}
	if t.shards.n > 1 {
		t.shards.count(a.Shard)
	}
	a.Count = t.count
	return a, retired
}

// LetGo forgets which shards follow what is between addresses that are chosen, as none does
// any more. What comes later is as if the capture began there.
func (t *Front) LetGo(which flow.Between) { t.shards.letGo(which) }

// Frames is how many frames came.
func (t *Front) Frames() int64 { return t.frames }

// Trusted is how many addresses are known to send right ICRCs.
func (t *Front) Trusted() int { return len(t.trust.trusted) }
