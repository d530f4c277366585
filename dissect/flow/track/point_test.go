package track_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/rocev2"
)

// precedes holds what is reported of each pair of the Sends of a connection: ranks are
// the same for those of which nobody knows, and rise.
func precedes(t *testing.T, d *recorder, ranks ...int) {
	t.Helper()
	if len(d.points) != len(ranks) {
		t.Fatalf("%d Sends, want %d", len(d.points), len(ranks))
	}
	for i := range ranks {
		for j := range ranks {
			want := flow.Unknown
			if ranks[i] < ranks[j] {
				want = flow.Yes
			} else if ranks[i] > ranks[j] {
				want = flow.No
			}
			if got := d.conns[0].Precedes(&d.points[i], &d.points[j]); got != want {
				t.Errorf("Send %d %+v before Send %d %+v: %d, want %d", i, d.points[i], j, d.points[j], got, want)
			}
		}
	}
}

// What was acknowledged was there before, and numbers tell the rest; what crosses
// is open.
func TestPrecedes(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	greet(s, 1)
	greet(s, 2)
	precedes(t, record(t, s.Frames), 0, 1, 2, 3)

	s = build.NewConversation(build.Setup{})
	s.Connect()
	s.Send(build.ToServer, call(1))
	s.Send(build.ToClient, reply(1)) // the acknowledgement comes after it
	s.Ack(build.ToClient)
	s.Send(build.ToClient, reply(2))
	d := record(t, s.Frames)
	c := d.only()
	for i, want := range []flow.Answer{flow.Unknown, flow.Yes} {
		if got := c.Precedes(&d.points[0], &d.points[1+i]); got != want {
			t.Errorf("the call before reply %d: %d, want %d", i+1, got, want)
		}
	}
	if d.deliveries[0] != flow.Acknowledged || d.deliveries[2] != flow.Underway {
		t.Errorf("the call is %d, the last reply %d", d.deliveries[0], d.deliveries[2])
	}
}

// Of a direction that was captured late, what comes first in the capture was not
// sent first.
func TestPrecedesOutOfStep(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	greet(s, 1)
	greet(s, 2)
	var late build.Frames
	late = append(late, s.Frames[:3]...)
	for _, i := range []int{4, 5, 8, 9, 3, 6, 7, 10} { // all of the server, then all of the client
		late = append(late, s.Frames[i])
	}
	d := record(t, late)
	c := d.only()
	for i := range d.points {
		for j := range d.points {
			if got := c.Precedes(&d.points[i], &d.points[j]); d.sends[i].bytes == string(call(1)) && d.sends[j].bytes == string(reply(1)) && got == flow.No {
				t.Errorf("call 1 %+v is said to come behind reply 1 %+v", d.points[i], d.points[j])
			}
		}
	}
}

// A Send that the receiver refuses was not acknowledged.
func TestDeliveryRefused(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	s.Send(build.ToServer, call(1))
	s.Send(build.ToServer, call(2))
	s.Nak(build.ToClient, s.NextPSN(build.ToServer)-1, uint8(rocev2.NAKInvalidRequest))
	d := record(t, s.Frames)
	if a, b := d.deliveries[0], d.deliveries[1]; a != flow.Acknowledged || b != flow.Refused {
		t.Errorf("the first is %d, the second %d", a, b)
	}
}

// Over iWARP the acknowledgements are those of TCP.
func TestPrecedesIWARP(t *testing.T) {
	s := build.NewIWARP(build.IWARPSetup{})
	s.Connect()
	for id := range uint32(3) {
		s.Send(build.ToServer, call(id))
		s.Send(build.ToClient, reply(id))
	}
	d := record(t, s.Frames)
	precedes(t, d, 0, 1, 2, 3, 4, 5)
	for i, want := range []flow.Delivery{flow.Acknowledged, flow.Acknowledged, flow.Acknowledged, flow.Acknowledged, flow.Acknowledged, flow.Underway} {
		if got := d.deliveries[i]; got != want {
			t.Errorf("Send %d: %d, want %d", i, got, want)
		}
	}
}
