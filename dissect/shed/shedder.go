package shed

import (
	"sync/atomic"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// Buckets is over how many buckets pairs of addresses are spread.
const Buckets = 256

// Bucket is that of two addresses, in whichever order.
func Bucket(a, b link.Addr) int {
	h := a.Hash() + b.Hash()
	h ^= h >> 32
	h *= 0x9E3779B97F4A7C15 // 2^64 divided by the golden ratio: it spreads neighbours
	return int(h >> 56)
}

// An Order is what is to be done before the frames of a batch.
type Order struct {
	// Below is the level: nothing in the buckets below it is followed.
	Below int
	// Idle asks to let go of connections that had no frame for long.
	Idle bool
}

// A Shedder is asked by whoever reads frames, before each batch and about each frame.
// It is for one goroutine; Shed is for any.
type Shedder struct {
	decide func(now time.Time, lately *Frames) Order
	order  Order
	lately Frames
	shed   atomic.Int64
	// dropped says that frames were dropped before one that was shed; marked says it
	// of the next one that is not.
	dropped bool
	marked  *capture.Extra
}

// Frames counts frames of each bucket, whether they are shed or not. Whoever decides by
// them makes old ones count less.
type Frames [Buckets]uint32

// New returns a Shedder that asks before each batch what is to be shed, as
// Policy.Decide says it.
func New(decide func(now time.Time, lately *Frames) Order) *Shedder {
	return &Shedder{decide: decide, marked: &capture.Extra{Dropped: true}}
}

// Begin begins a batch of frames at a time, and returns what is to be done before it.
func (s *Shedder) Begin(now time.Time) Order {
	s.order = s.decide(now, &s.lately)
	return s.order
}

// Sheds fills a frame's Link, reports whether the frame is not to be followed, and counts
// it then.
func (s *Shedder) Sheds(f *flow.Frame, o link.Options) bool {
	f.DecodeLink(o)
	if f.Link.Transport == link.NotRDMA {
		return false // nobody follows it
	}
	b := Bucket(f.Link.Src(), f.Link.Dst())
	s.lately[b]++
	if b < s.order.Below {
		s.dropped = s.dropped || f.Dropped()
		s.shed.Add(1)
		return true
	}
	if s.dropped {
		s.dropped = false
		if !f.Dropped() {
			f.Extra = s.marked
		}
	}
	return false
}

// Shed is how many frames were not followed so far.
func (s *Shedder) Shed() int64 { return s.shed.Load() }
