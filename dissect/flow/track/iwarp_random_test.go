package track_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/long"
)

// Nothing is missing from the capture, but frames are in it twice and out of
// order, and some were lost on the wire and sent again: all is told, and nothing
// is reported to be lost.
func TestIWARPOutOfOrder(t *testing.T) {
	for seed := range seeds(500) {
		s := newRandomConversation(seed, 40)
		f := s.Frames.Drop(s.wire...)
		for range s.rnd.IntN(6) {
			f = f.Duplicate(s.rnd.IntN(len(f)))
		}
		for range s.rnd.IntN(10) {
			i := s.rnd.IntN(len(f) - 4)
			f = f.Swap(i, i+1+s.rnd.IntN(3))
		}
		d := s.record(t, f)
		d.placedRight()
		if c := d.only(); c.Holes != 0 || c.LostInCapture != 0 || c.Setup != flow.SetupMPA || c.BadCRC != 0 {
			t.Errorf("%v, %+v, %+v", c.Setup, c.Counters, c.Gaps)
		} else if c.LostOnWire > int64(len(s.wire)) && s.Client.Addr.Is4() {
			t.Errorf("%d frames are said to have been lost on the wire, %d were", c.LostOnWire, len(s.wire))
		}
		whole := s.compare(d)
		d.begins(true, addressOf)
		s.complete(d, whole)
		if t.Failed() {
			t.Fatalf("seed %d: %+v\n%s", seed, s.IWARPSetup, d.notes())
		}
	}
}

// complete holds that all that was reported was told.
func (s *randomConversation) complete(d *recorder, whole [2]map[string]bool) {
	d.t.Helper()
	for dir, said := range s.said {
		for i, text := range said {
			if !whole[dir][text] {
				d.t.Errorf("Send %d of %d bytes is not whole", i, len(text))
			}
		}
	}
	placed := s.placedOnce(d)
	for handle, n := range s.moved {
		if placed[handle] != n {
			d.t.Errorf("%d of %d bytes behind handle %d", placed[handle], n, handle)
		}
	}
}

// TestIWARPWhateverHappens mangles random conversations: frames are dropped,
// doubled, reordered and cut, and the capture begins late or has one direction
// only. What is reported of them is right or said to be incomplete, no more is reported
// to be missing than is, and what comes some time after the last loss is whole
// again. Where no hole is told, all is.
func TestIWARPWhateverHappens(t *testing.T) {
	told, sent := 0, 0
	for seed := range seeds(2000) {
		s := newRandomConversation(seed, 40)
		f, dropped, cut, only := s.mangle()
		d := s.record(t, f)
		d.placedRight()
		s.placedOnce(d)
		d.begins(false, addressOf)
		whole := s.compare(d)
		lost := int64(0)
		for _, c := range d.conns {
			lost += c.LostInCapture
		}
		if lost > int64(dropped) {
			t.Errorf("%d frames are said to be missing from the capture, %d are", lost, dropped)
		}
		if len(d.conns) == 1 && !cut {
			if c := d.conns[0]; c.Setup == flow.SetupMPA && !c.OneWay() && c.Holes == 0 {
				s.complete(d, whole)
			}
		}
		for dir, said := range s.said {
			told, sent = told+len(whole[dir]), sent+len(said)
			if cut || only >= 0 && only != dir {
				continue
			}
			for i, text := range said[len(said)-5:] {
				if !whole[dir][text] {
					t.Errorf("Send %d behind all loss, direction %d, is not whole", s.quiet[dir]+i+10, dir)
				}
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d, %d dropped, only %d: %+v\n%s", seed, dropped, only, s.IWARPSetup, d.notes())
		}
	}
	if told < sent/2 {
		t.Errorf("only %d of %d Sends are whole", told, sent)
	}
	t.Logf("%d of %d Sends are whole", told, sent)
}

// seeds are so many of them, and a tenth of that if time is short.
func seeds(n uint64) uint64 { return long.Pick(n/10, n) }

// mangle returns what a bad capture has of the frames, how many it lacks that
// the network delivered, whether a snap length cut them, and the one direction
// that it has, -1 for both.
func (s *randomConversation) mangle() (f build.Frames, dropped int, cut bool, only int) {
	rnd := s.rnd
	drop := append([]int(nil), s.wire...)
	gone := make(map[int]bool)
	for _, i := range drop {
		gone[i] = true
	}
	lose := func(i int) {
		if i < s.calm && !gone[i] {
			gone[i] = true
			drop = append(drop, i)
			dropped++
		}
	}
	for range rnd.IntN(6) {
		first := rnd.IntN(s.calm)
		for i := range pick(rnd, 1, 1, 1, 3, 20) {
			lose(first + i)
		}
	}
	if rnd.IntN(3) == 0 {
		// The capture begins later. That is no loss, but for what stands just
		// before a segment that was retransmitted.
		begin := rnd.IntN(s.calm / 2)
		for i := range begin {
			before := dropped
			if lose(i); i < begin-8 {
				dropped = before
			}
		}
	}
	f = s.Frames.Drop(drop...)
	calm := s.calm - len(drop)
	only = -1
	switch {
	case rnd.IntN(8) == 0:
		only = rnd.IntN(2)
		f = f.Only(build.Direction(only))
	case calm > 12:
		// Not the very first: what is captured after a later one might as well
		// have been sent before the capture began.
		f = f[:4].And(jumble(rnd, f[4:], calm-4))
	}
	if cut = rnd.IntN(6) == 0; cut {
		f = f.Cut(60 + rnd.IntN(400))
	}
	return f, dropped, cut, only
}

// jumble doubles and reorders some of the first n frames.
func jumble(rnd *rand.Rand, f build.Frames, n int) build.Frames {
	for range rnd.IntN(6) {
		f = f.Duplicate(rnd.IntN(n))
	}
	for range rnd.IntN(8) {
		i := rnd.IntN(n - 4)
		f = f.Swap(i, i+1+rnd.IntN(3))
	}
	return f
}
