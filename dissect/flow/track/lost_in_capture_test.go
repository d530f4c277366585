package track_test

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/build"
)

// The network delivered frames that the capture lacks: they are acknowledged
// and never sent again. What they carried is missing, and nothing else.
func TestLostInTheCapture(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	sendNumbered(s, 1, 3) // frames 3 to 8
	long := s.Send(build.ToServer, memory(3, 0, 5000))
	s.Ack(build.ToClient)
	write := s.Write(build.ToServer, 9, 0x100, memory(9, 0x100, 3000))
	s.Ack(build.ToClient)
	sendNumbered(s, 100, 80)
	for _, test := range []struct {
		name    string
		drop    []int
		missing []int // messages, by their order
		broken  bool
	}{
		{"a short Send", []int{5}, []int{1}, false},
		{"two short Sends", []int{5, 7}, []int{1, 2}, false},
		{"the first packet", []int{long.First}, []int{3}, false},
		{"a packet in the middle", []int{long.First + 2}, []int{3}, true},
		{"two packets apart", []int{long.First + 1, long.First + 3}, []int{3}, true},
		{"the last packet", []int{long.End - 1}, []int{3}, true},
		{"a Send and the Write's first", []int{7, write.First}, []int{2}, false},
		{"the end of one, the beginning of the next", []int{long.End - 1, write.First}, []int{3}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := record(t, s.Frames.Drop(test.drop...))
			d.placedRight()
			want := append(append(numbered(1, 3), string(memory(3, 0, 5000))), numbered(100, 80)...)
			for i, at := range test.missing {
				want = slices.Delete(want, at-i, at-i+1)
			}
			if got := d.texts(0); !slices.Equal(got, want) {
				t.Errorf("%d whole Sends, want %d", len(got), len(want))
			}
			broken := 0
			for _, m := range d.sends {
				if !m.whole {
					broken++
					if m.missing != "frames are missing from the capture" {
						t.Errorf("a Send is incomplete: %s", m.missing)
					}
				}
			}
			if broken != 0 != test.broken {
				t.Errorf("%d Sends are incomplete", broken)
			}
			if got, want := disorder(d.only()), (flow.Counters{LostInCapture: int64(len(test.drop))}); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

// Nobody can say of the last frames of a capture whether one was lost.
func TestLostAtTheEnd(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	sendNumbered(s, 1, 2)
	lost := s.Send(build.ToServer, call(3)).First
	s.Send(build.ToServer, call(4))
	d := record(t, s.Frames.Drop(lost))
	if c := d.only(); disorder(c) != (flow.Counters{}) {
		t.Errorf("%+v, but the capture ends before anybody says so", disorder(c))
	}
	if got, want := d.texts(0), append(numbered(1, 2), numbered(4, 1)...); !slices.Equal(got, want) {
		t.Errorf("said %q, want %q", got, want)
	}
	// One acknowledgement more, and it is proven.
	s.Ack(build.ToClient)
	if c := record(t, s.Frames.Drop(lost)).only(); disorder(c) != (flow.Counters{LostInCapture: 1}) {
		t.Errorf("%+v, but it was acknowledged", disorder(c))
	}
}

// An unreliable connection loses what the network loses. Nobody can say where;
// what comes after it is told.
func TestLostOnUnreliableConnection(t *testing.T) {
	s := build.NewConversation(build.Setup{Transport: build.UnreliableConnection})
	s.Connect()
	s.Send(build.ToServer, call(1))
	lost := s.Send(build.ToServer, memory(1, 0, 3000)).First + 1
	for i := range 100 {
		s.Send(build.ToServer, call(uint32(2+i)))
	}
	d := newRecorder(t)
	r := driver{tracker: follow(d, track.Options{})}
	for _, f := range s.Frames.Drop(lost) {
		r.take(f.Data, f.Length, f.Time.UnixNano())
	}
	// It does not take the end of the capture to see that it comes no more.
	if got := d.texts(0); !slices.Equal(got, numbered(1, 101)) {
		t.Errorf("%d Sends whole, want 101", len(got))
	}
	if got := disorder(d.only()); got != (flow.Counters{}) {
		t.Errorf("%+v, but nothing is proven", got)
	}
}

// The acknowledgement of what is behind the gap was captured before it, and is
// the last one.
func TestAcknowledgedBeforeItCame(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	lost := s.Send(build.ToServer, call(1)).First
	s.Send(build.ToServer, call(2))
	ack := s.Ack(build.ToClient).First
	for i := range 40 {
		s.Send(build.ToClient, call(uint32(100+i)))
		s.Ack(build.ToServer)
	}
	d := record(t, s.Frames.Swap(ack-1, ack).Drop(lost))
	if got, want := disorder(d.only()), (flow.Counters{LostInCapture: 1}); got != want || len(d.texts(0)) != 1 {
		t.Errorf("%+v and %d Sends, want %+v", got, len(d.texts(0)), want)
	}
}

// While the path MTU is unknown, so is how many PSNs a READ request takes: what
// is missing after it may be its. Once it is known, no longer.
func TestLostBehindReadRequest(t *testing.T) {
	for _, test := range []struct {
		name              string
		pmtu              int
		length, responses int // of the Read, and how many of its responses are captured
		drop              int // Sends after it
		lost              int64
		whole             int
	}{
		{"nothing, MTU unknown", 256, 1000, 0, 0, 0, 40},
		{"less than it may take", 1024, 1000, 0, 1, 0, 39},
		{"more than it may take", 1024, 1000, 0, 5, 2, 35},
		{"more than it takes", 256, 300, 0, 4, 4, 36},
		{"nothing, MTU known", 256, 1000, 4, 0, 0, 40},
		{"one, MTU known", 256, 1000, 4, 1, 1, 39},
	} {
		s := build.NewConversation(build.Setup{PMTU: test.pmtu})
		for i := range 4 {
			s.Send(build.ToClient, call(uint32(i))) // to be paired by
			s.Ack(build.ToServer)
		}
		read := transfer(s, 0x1000, test.length)
		drop := make([]int, 0)
		for i := read.First + 1 + test.responses; i < read.End; i++ {
			drop = append(drop, i)
		}
		for range test.drop {
			drop = append(drop, len(s.Frames))
			s.Send(build.ToClient, call(0))
		}
		for i := range 36 - test.drop {
			s.Send(build.ToClient, call(uint32(i+10)))
		}
		s.Ack(build.ToServer)
		for range 70 {
			s.CNP(build.ToServer)
		}
		s.Ack(build.ToServer)
		d := record(t, s.Frames.Drop(drop...))
		if c := d.only(); c.LostInCapture != test.lost || len(d.texts(c.ClientEnd))+len(d.texts(c.ClientEnd.Peer())) != test.whole {
			t.Errorf("%s: %d frames lost in the capture, %d Sends; want %d and %d", test.name, c.LostInCapture, len(d.sends), test.lost, test.whole)
		}
	}
}

// A READ request takes many PSNs, but is one frame. What is left of its
// response says which of the missing PSNs are its.
func TestReadRequestLostInTheCapture(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	sendNumbered(s, 1, 1)
	request := transfer(s, 0x1000, 5000).First
	after := transfer(s, 0x8000, 3000)
	s.Send(build.ToClient, reply(1))
	s.Ack(build.ToServer)
	few := s.Frames.Drop(request)
	sendNumbered(s, 2, 80)
	many := s.Frames.Drop(request)
	for name, test := range map[string]struct {
		frames build.Frames
		lost   int64
	}{
		"at the end":                 {few, 1},
		"long before it":             {many, 1},
		"swapped responses":          {many.Swap(request+1, request+2), 1},
		"with a response twice":      {many.Duplicate(request + 2), 1},
		"two requests":               {s.Frames.Drop(request, after.First), 2},
		"a request and a response":   {s.Frames.Drop(request, request+3), 2},
		"the request and its First":  {s.Frames.Drop(request, request+1), 1},
		"the request and a Send":     {s.Frames.Drop(request, after.End), 2},
		"the request, behind a Send": {s.Frames.Drop(request, 3), 2},
	} {
		t.Run(name, func(t *testing.T) {
			d := record(t, test.frames)
			d.placedRight()
			if c := d.only(); c.LostInCapture != test.lost || c.LostOnWire+c.Retransmissions != 0 {
				t.Errorf("%+v, want %d lost in the capture", c.Counters, test.lost)
			}
		})
	}
}
