package track_test

import (
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
)

// Over TCP the time stamp reports what was retransmitted, as soon as a tail loss probe.
func TestIWARPNotSkewed(t *testing.T) {
	for name, test := range map[string]struct {
		wait   time.Duration // until it is retransmitted
		lost   bool          // the capture lacks the first
		skewed int64
	}{
		"sent again":                          {2 * time.Millisecond, false, 0},
		"sent again, the first not captured":  {2 * time.Millisecond, true, 0},
		"one of the same time, captured late": {0, true, 1},
	} {
		s := build.NewIWARP(build.IWARPSetup{})
		s.Connect()
		s.Send(build.ToServer, call(1))
		s.Ack(build.ToClient)
		at := s.Send(build.ToServer, call(2)).First
		s.Ack(build.ToClient) // lost after the capture
		s.Wait(test.wait)
		s.Retransmit(at)
		s.Ack(build.ToClient)
		frames := s.Frames
		if test.lost {
			frames = frames.Drop(at)
		}
		d := record(t, frames)
		if c := d.only(); c.Skewed != test.skewed || c.Holes != 0 || len(d.texts(0)) != 2 {
			t.Errorf("%s: %d holes, %+v", name, c.Holes, c.Counters)
		}
	}
}
