package track_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

// inOrder are frames in another order, while the times stay.
func inOrder(f build.Frames, order ...int) (list build.Frames) {
	for i, at := range order {
		frame := f[at]
		frame.Time = f[min(i, len(f)-1)].Time
		list = append(list, frame)
	}
	return list
}

// The REP reports which PSN the client begins with, but it comes late: the capture
// has the client's first requests before it, and out of their order.
func TestLateREP(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect() // frames 0 to 2: REQ, REP, RTU
	for i := range uint32(3) {
		s.Send(build.ToServer, call(1+i)) // frames 3 to 5
	}
	s.Ack(build.ToClient) // frame 6
	for i := range uint32(3) {
		s.Send(build.ToClient, reply(1+i)) // frames 7 to 9
	}
	s.Ack(build.ToServer) // frame 10
	for _, test := range []struct {
		name             string
		order            []int
		calls            []string
		holes, reordered int64
	}{
		{"in order", []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, numbered(1, 3), 0, 0},
		{"the REP late", []int{0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1}, numbered(1, 3), 0, 0},
		{"and the calls swapped", []int{0, 4, 2, 3, 5, 6, 7, 8, 9, 10, 1}, numbered(1, 3), 0, 1},
		{"and turned round", []int{0, 2, 5, 4, 3, 6, 7, 8, 9, 10, 1}, numbered(1, 3), 0, 1},
		{"the first call behind a reply", []int{0, 2, 4, 5, 6, 7, 8, 3, 9, 10, 1}, numbered(2, 2), 2, 1},
		{"that, and no REP", []int{0, 2, 4, 5, 6, 7, 8, 3, 9, 10}, numbered(2, 2), 1, 1},
		{"the first call twice behind a reply", []int{0, 2, 4, 5, 6, 7, 8, 3, 3, 9}, numbered(2, 2), 1, 1},
		{"the first call missing", []int{0, 2, 4, 5, 6, 7, 8, 9, 10, 1}, numbered(2, 2), 1, 0},
		{"the REP late and twice", []int{0, 2, 4, 5, 6, 7, 8, 9, 10, 1, 1}, numbered(2, 2), 1, 0},
		{"all before the REP, and no reply", []int{0, 4, 2, 3, 5, 6, 1}, numbered(1, 3), 0, 1},
	} {
		d := record(t, inOrder(s.Frames, test.order...))
		c := d.only()
		if got := d.texts(0); !slices.Equal(got, test.calls) {
			t.Errorf("%s: the calls %q", test.name, got)
		}
		if c.Holes != test.holes || c.Reordered != test.reordered || c.Retransmissions+c.LostOnWire != 0 {
			t.Errorf("%s: %d holes, %+v", test.name, c.Holes, c.Counters)
		}
	}
}

// A capture that began later may begin with two that have changed places. What
// was retransmitted after a time-out was told before it began.
func TestBegunOutOfOrder(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	for i := range uint32(4) {
		s.Send(build.ToServer, call(1+i))
	}
	for i := range uint32(4) {
		s.Send(build.ToClient, reply(1+i))
	}
	d := record(t, s.Frames.Swap(0, 1))
	if c := d.only(); c.Holes != 0 || len(d.sends) != 8 || disorder(c) != (flow.Counters{Reordered: 1}) {
		t.Errorf("two calls: %d holes, %d Sends, %+v", c.Holes, len(d.sends), c.Counters)
	}
	// The first of these shows whose reply it is, and so is told at once.
	d = record(t, s.Frames.Swap(4, 5))
	if c := d.only(); c.Holes != 1 || len(d.sends) != 7 || disorder(c) != (flow.Counters{Reordered: 1}) {
		t.Errorf("two replies: %d holes, %d Sends, %+v", c.Holes, len(d.sends), c.Counters)
	}
	again := later(s.Frames[:1], 20*time.Millisecond)
	for name, frames := range map[string]build.Frames{
		"behind the replies": s.Frames[1:].And(again),
		"before them":        s.Frames[1:4].And(again, later(s.Frames[4:], 20*time.Millisecond)),
	} {
		d = record(t, frames)
		if c := d.only(); c.Holes != 0 || len(d.sends) != 7 || disorder(c) != (flow.Counters{Retransmissions: 1}) {
			t.Errorf("sent again %s: %d holes, %d Sends, %+v", name, c.Holes, len(d.sends), c.Counters)
		}
	}
}
