package track_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/build"
)

// later is a capture by a clock that is ahead.
func later(f build.Frames, d time.Duration) build.Frames {
	f = slices.Clone(f)
	for i := range f {
		f[i].Time = f[i].Time.Add(d)
	}
	return f
}

// recordFiles runs several files through a tracker, their frames in the order of
// time as all files read together are.
func recordFiles(t testing.TB, files ...build.Frames) *recorder {
	t.Helper()
	type framed struct {
		build.Frame
		file int
	}
	var all []framed
	for i, f := range files {
		for _, frame := range f {
			all = append(all, framed{frame, i})
		}
	}
	slices.SortStableFunc(all, func(a, b framed) int { return a.Time.Compare(b.Time) })
	d := newRecorder(t)
	r := driver{tracker: follow(d, track.Options{Peek: peek})}
	for _, f := range all {
		r.file = f.file
		d.captured(flow.Ref{File: f.file, Number: r.number + 1}, f.Data)
		d.verdicts = append(d.verdicts, r.take(f.Data, f.Length, f.Time.UnixNano()))
	}
	r.tracker.Flush()
	return d
}

// skews are how far one clock may be ahead of another's.
var skews = []time.Duration{0, 20 * time.Microsecond, 3 * time.Millisecond, -3 * time.Millisecond, 400 * time.Millisecond, -400 * time.Millisecond}

// Two hosts have the same RoCEv2 frames: none was retransmitted but what was, and
// both had it then.
func TestTwoFiles(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	begin := s.Connect().End
	sendNumbered(s, 1, 100) // more than are remembered
	lost := s.Send(build.ToServer, call(101)).First
	psn := s.NextPSN(build.ToServer) - 1
	s.Send(build.ToServer, call(102))
	s.Nak(build.ToClient, psn, build.SyndromePSNSequenceError)
	s.Wait(time.Millisecond)
	s.Retransmit(lost)
	s.Ack(build.ToClient)
	sendNumbered(s, 103, 10)
	s.Read(build.ToServer, 7, 0x1000, memory(7, 0x1000, 3000))
	again := s.Send(build.ToServer, call(113)).First
	s.Wait(100 * time.Millisecond) // the acknowledgement was lost
	s.Retransmit(again)
	s.Ack(build.ToClient)
	sendNumbered(s, 114, 80)
	for _, skew := range skews {
		for _, test := range []struct {
			name   string
			a, b   build.Frames
			resent int64
		}{
			// Two went back from the lost one, one was repeated after the time-out.
			{"both have all", s.Frames, s.Frames, 3},
			{"the server never had the first", s.Frames, s.Frames.Drop(lost), 3},
			{"the server's is cut", s.Frames, s.Frames[:begin].And(s.Frames[begin:].Cut(72)), 3},
		} {
			d := recordFiles(t, test.a, later(test.b, skew))
			if got, want := d.texts(0), numbered(1, 193); !slices.Equal(got, want) {
				t.Errorf("%s, %v: %d Sends, want %d", test.name, skew, len(got), len(want))
			}
			c := d.only()
			if c.Retransmissions != test.resent || c.LostInCapture != 0 || c.LostOnWire > 1 || c.NAKs != 1 || c.Reordered > 1 {
				t.Errorf("%s, %v: %+v", test.name, skew, c.Counters)
			}
			// Of most the other file has a copy; of an acknowledgement it may have
			// seen a later one.
			if c.Duplicates < int64(len(test.b))-10 {
				t.Errorf("%s, %v: %d of %d are said to be copies", test.name, skew, c.Duplicates, len(test.b))
			}
		}
	}
}

// A capture that was cut into files has no frame twice: what its second file has
// again was retransmitted.
func TestOneCaptureInTwoFiles(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	sendNumbered(s, 1, 10)
	at := s.Send(build.ToServer, call(11)).First
	cut := len(s.Frames)
	s.Wait(100 * time.Millisecond)
	s.Retransmit(at)
	s.Ack(build.ToClient)
	d := recordFiles(t, s.Frames[:cut], s.Frames[cut:])
	if got, want := disorder(d.only()), (flow.Counters{Retransmissions: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}

	c := build.NewIWARP(build.IWARPSetup{})
	c.Connect()
	at = c.Send(build.ToServer, call(1)).First
	cut = len(c.Frames)
	c.Wait(100 * time.Millisecond)
	c.Retransmit(at)
	d = recordFiles(t, c.Frames[:cut], c.Frames[cut:])
	if got, want := disorder(d.only()), (flow.Counters{Retransmissions: 1}); got != want {
		t.Errorf("iWARP: %+v, want %+v", got, want)
	}
}

// Two files that have both directions, by clocks that differ, are in step each;
// of one that was cut in two nothing is known to differ.
func TestMixed(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	sendNumbered(s, 1, 50)
	half := len(s.Frames) / 2
	for _, skew := range []time.Duration{0, 20 * time.Microsecond, -20 * time.Microsecond} {
		if c := recordFiles(t, s.Frames, later(s.Frames, skew)).only(); c.Skewed != 0 || !c.Mixed {
			t.Errorf("two hosts, %v: %d skewed, mixed %v", skew, c.Skewed, c.Mixed)
		}
	}
	if c := recordFiles(t, s.Frames[:half], s.Frames[half:]).only(); c.Mixed {
		t.Error("a capture that was cut in two is mixed")
	}
	if c := recordFiles(t, s.Frames.Only(build.ToServer), s.Frames.Only(build.ToClient)).only(); !c.Mixed || c.Skewed != 0 {
		t.Errorf("a file for each direction: %d skewed, mixed %v", c.Skewed, c.Mixed)
	}
}
