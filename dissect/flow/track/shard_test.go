package track_test

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/front"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
)

// A follower is a Tracker of a whole capture, and the Front before it.
type follower struct {
	*track.Tracker
	front *front.Front
}

func follow(sink flow.Sink, opts track.Options) *follower {
	return &follower{track.NewTracker(sink, opts), front.New(1, opts.IWARPPort)}
}

// Frame takes the next frame of the capture.
func (f *follower) Frame(x *flow.Frame) (v flow.Verdict) {
	a, _ := f.front.Arrive(x)
	f.Advance(&a)
	f.Tracker.Frame(x, &a, &v)
	return v
}

// Flush ends the capture.
func (f *follower) Flush() {
	for part := range track.Flushing {
		f.Tracker.Flush(part)
	}
}

// Census counts what both keep.
func (f *follower) Census() track.Census {
	c := f.Tracker.Census()
	c.Trusted = f.front.Trusted()
	return c
}
