package rpcrdma

import (
	"bytes"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

func TestLongMessages(t *testing.T) {
	const n = 100
	text := make([]byte, n)
	for i := range text {
		text[i] = byte(i + 1)
	}
	// The message lies in segments of 30, 0, 50 and 20 bytes.
	segments := []Segment{{1, 30, 1000}, {2, 0, 0}, {3, 50, 5000}, {1, 20, 1030}}
	var reads []ReadSegment
	for _, s := range segments {
		reads = append(reads, ReadSegment{0, s})
	}
	reads = append(reads, ReadSegment{40, Segment{7, 10, 0}})
	place := func(at int) (uint32, uint64) {
		for _, s := range segments {
			if at < int(s.Length) {
				return s.Handle, s.Offset + uint64(at)
			}
			at -= int(s.Length)
		}
		t.Fatal("behind the message")
		return 0, 0
	}
	for _, p := range []Purpose{ForRead, ForReply} {
		for _, test := range []struct {
			name   string
			pieces [][2]int // in order of arrival
			front  uint64
			kept   int
		}{
			{"in order", [][2]int{{0, 30}, {30, 80}, {80, 100}}, 100, 100},
			{"in small pieces", [][2]int{{0, 10}, {10, 30}, {30, 31}, {31, 80}, {80, 90}}, 90, 90},
			{"backwards", [][2]int{{80, 100}, {30, 80}, {0, 30}}, 100, 100},
			{"a hole in the first segment", [][2]int{{0, 10}, {20, 30}, {30, 80}}, 10, 80},
			{"a hole between segments", [][2]int{{0, 30}, {40, 80}, {80, 100}}, 30, 100},
			{"no front", [][2]int{{1, 30}, {30, 80}}, 0, 80},
			{"twice", [][2]int{{0, 30}, {0, 30}, {20, 30}}, 30, 30},
			{"nothing", nil, 0, 0},
		} {
			l, o := NewLedger(new(Store)), new(Offer)
			move := l.Pull
			if p == ForRead {
				l.Advertise(o, offering(t, reads, nil, nil), 0, flow.Ref{})
			} else {
				l.Advertise(o, offering(t, nil, nil, segments), 0, flow.Ref{})
				move = l.Push
			}
			want := make([]byte, test.kept)
			for _, piece := range test.pieces {
				handle, offset := place(piece[0])
				if got, _ := move(0, handle, offset, piece[1]-piece[0], text[piece[0]:piece[1]]); got != o {
					t.Fatalf("%s: piece %v is not the offer's", test.name, piece)
				}
				copy(want[piece[0]:], text[piece[0]:piece[1]])
			}
			got := o.LongCall
			if p == ForReply {
				got = o.LongReply
			}
			if !bytes.Equal(got, want) || o.Front(p) != test.front {
				t.Errorf("%s: %d bytes, of which the first %d; want %d and %d, or they have other values", test.name, len(got), o.Front(p), len(want), test.front)
			}
			if o.Front(ForRead+ForReply-p) != 0 {
				t.Errorf("%s: the other long message has bytes too", test.name)
			}
		}
	}
	l, o := NewLedger(new(Store)), new(Offer)
	l.Advertise(o, offering(t, reads, nil, nil), 0, flow.Ref{})
	l.Pull(0, 7, 0, 10, text[:10])
	if len(o.LongCall) != 0 {
		t.Error("another Read chunk became part of the long call")
	}
}

// What of a long message is kept has a limit, each message's and all offers';
// what is kept is in its place, and what is not is not claimed to be there.
func TestLongMessageTooLong(t *testing.T) {
	const length = 1 << 31
	l := NewLedger(new(Store))
	h := offering(t, nil, nil, []Segment{{1, length, 0}})
	offers := make([]*Offer, 2*maxLongs/MaxLong)
	for i := range offers {
		o := new(Offer)
		offers[i] = o
		l.Advertise(o, h, 0, flow.Ref{})
		l.Push(0, 1, 0, 4, []byte("text"))
		l.Push(0, 1, MaxLong-2, 4, []byte("ends"))
		l.Push(0, 1, MaxLong, 4, []byte("more"))
		l.Push(0, 1, length-1, 1, []byte("."))
		l.Push(0, 1, 4, 2, []byte("ab"))
		if o.WriteBytes != 15 || !o.Regions[0].Seen.Covers(MaxLong-2, MaxLong+4) {
			t.Errorf("offer %d: %d bytes counted, seen %v", i, o.WriteBytes, o.Regions[0].Seen)
		}
		got := o.LongReply
		switch {
		case len(got) > MaxLong:
			t.Errorf("offer %d: %d bytes kept", i, len(got))
		case len(got) == MaxLong && (string(got[:6]) != "textab" || string(got[MaxLong-2:]) != "en"):
			t.Errorf("offer %d: what is kept is not in its place", i)
		case len(got) < MaxLong && string(got) != "text"[:len(got)]:
			t.Errorf("offer %d: %q is kept", i, got)
		}
	}
	kept := 0
	for _, o := range offers {
		kept += len(o.LongReply)
	}
	if kept > maxLongs || kept != l.store.bytes || kept < maxLongs/2 {
		t.Errorf("%d bytes of long messages are kept, counted as %d, the limit is %d", kept, l.store.bytes, maxLongs)
	}
	// A message that was refused room once does not go on after the hole, not
	// even when there is room again.
	full := offers[len(offers)-1]
	for _, o := range offers[:len(offers)-1] {
		l.Expire(o)
	}
	l.Push(0, 1, 6, 10, make([]byte, 10))
	if n := len(full.LongReply); n > 4 {
		t.Errorf("%d bytes are kept, some of which were not when they came", n)
	}
}

func TestPlaced(t *testing.T) {
	offered := [][]Segment{{{1, 100, 0}, {2, 100, 0}, {3, 100, 0}}, {{4, 10, 0}}}
	for _, test := range []struct {
		name     string
		pushed   [][3]int // handle, offset, length
		chunk    int
		returned []Segment
		want     bool
	}{
		{"all of it", [][3]int{{1, 0, 100}, {2, 0, 50}}, 0, []Segment{{1, 100, 0}, {2, 50, 0}, {3, 0, 0}}, true},
		{"in pieces", [][3]int{{1, 60, 40}, {1, 0, 60}}, 0, []Segment{{1, 100, 0}, {2, 0, 0}, {3, 0, 0}}, true},
		{"a hole", [][3]int{{1, 0, 40}, {1, 50, 50}}, 0, []Segment{{1, 100, 0}, {2, 0, 0}, {3, 0, 0}}, false},
		{"the second missing", [][3]int{{1, 0, 100}}, 0, []Segment{{1, 100, 0}, {2, 1, 0}, {3, 0, 0}}, false},
		{"nothing", nil, 0, []Segment{{1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, true},
		{"fewer segments returned", [][3]int{{1, 0, 9}}, 0, []Segment{{1, 9, 0}}, true},
		{"more segments returned", nil, 1, []Segment{{4, 0, 0}, {5, 0, 0}}, false},
		{"more bytes returned than offered", [][3]int{{4, 0, 10}}, 1, []Segment{{4, 11, 0}}, false},
		{"the second chunk", [][3]int{{4, 0, 10}}, 1, []Segment{{4, 10, 0}}, true},
		{"no such chunk", nil, 2, []Segment{{4, 0, 0}}, false},
		{"no such chunk, none returned", nil, 2, nil, true},
	} {
		l, o := NewLedger(new(Store)), new(Offer)
		l.Advertise(o, offering(t, nil, offered, nil), 0, flow.Ref{})
		for _, p := range test.pushed {
			l.Push(0, uint32(p[0]), uint64(p[1]), p[2], make([]byte, p[2]))
		}
		if got := o.Placed(ForWrite, test.chunk, test.returned); got != test.want {
			t.Errorf("%s: placed %v, want %v", test.name, got, test.want)
		}
	}
}

func TestPulled(t *testing.T) {
	reads := []ReadSegment{{4, Segment{1, 100, 0}}, {4, Segment{2, 0, 0}}, {9, Segment{3, 50, 0}}}
	for _, test := range []struct {
		name          string
		asked, pulled [][3]int // handle, offset, length
		answered, all bool
	}{
		{"nothing", nil, nil, true, false},
		{"asked for", [][3]int{{1, 0, 100}}, nil, false, false},
		{"one of two", [][3]int{{1, 0, 100}}, [][3]int{{1, 0, 100}}, true, false},
		{"not all that was asked for", [][3]int{{1, 0, 100}}, [][3]int{{1, 0, 99}}, false, false},
		{"all", [][3]int{{1, 0, 100}, {3, 0, 50}}, [][3]int{{3, 0, 50}, {1, 50, 50}, {1, 0, 50}}, true, true},
		{"all, the requests not seen", nil, [][3]int{{1, 0, 100}, {3, 0, 50}}, true, true},
		{"less than all, asked for less", [][3]int{{1, 0, 10}, {3, 0, 50}}, [][3]int{{1, 0, 10}, {3, 0, 50}}, true, false},
	} {
		l, o := NewLedger(new(Store)), new(Offer)
		l.Advertise(o, offering(t, reads, nil, nil), 0, flow.Ref{})
		for _, a := range test.asked {
			l.Ask(0, uint32(a[0]), uint64(a[1]), uint32(a[2]))
		}
		for _, p := range test.pulled {
			l.Pull(0, uint32(p[0]), uint64(p[1]), p[2], make([]byte, p[2]))
		}
		if answered, all := o.Pulled(); answered != test.answered || all != test.all {
			t.Errorf("%s: answered %v, all %v", test.name, answered, all)
		}
	}
}
