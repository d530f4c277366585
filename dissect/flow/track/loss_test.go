package track_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

// sendNumbered appends n Sends of one packet, each acknowledged.
func sendNumbered(s *build.Conversation, from, n int) {
	for i := range n {
		s.Send(build.ToServer, call(uint32(from+i)))
		s.Ack(build.ToClient)
	}
}

// numbered are the texts of Sends with these numbers.
func numbered(from, n int) (list []string) {
	for i := range n {
		list = append(list, string(call(uint32(from+i))))
	}
	return list
}

// counters of order, without those of frames and bytes.
func disorder(c *flow.Conn) flow.Counters {
	n := c.Counters
	n.Frames, n.Bytes = 0, 0
	return n
}

// A frame is lost before the capture could see it. The server asks for it
// again, and the client goes back to it.
func TestLostOnTheWire(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	lost := s.Send(build.ToServer, call(1)).First
	psn := s.NextPSN(build.ToServer) - 1
	s.Send(build.ToServer, call(2))
	s.Send(build.ToServer, call(3))
	s.Nak(build.ToClient, psn, build.SyndromePSNSequenceError)
	s.Retransmit(lost)
	s.Ack(build.ToClient)
	sendNumbered(s, 4, 2)
	d := record(t, s.Frames.Drop(lost))
	if got, want := d.texts(0), numbered(1, 5); !slices.Equal(got, want) {
		t.Errorf("said %q, want %q", got, want)
	}
	if got, want := disorder(d.only()), (flow.Counters{Retransmissions: 3, LostOnWire: 1, NAKs: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := d.notes(), "3 gap, 4 gap, 6 lost, 7 again, 8 again"; got != want {
		t.Errorf("notes: %s; want: %s", got, want)
	}
	if v := d.verdicts[3]; !v.Waiting || v.Missing != 1 {
		t.Errorf("the frame behind the gap: waiting %v for %d", v.Waiting, v.Missing)
	}
	if v := d.verdicts[4]; !v.Waiting || v.Missing != 0 {
		t.Errorf("the one behind that: waiting %v for %d", v.Waiting, v.Missing)
	}
}

// The last frame of a burst is lost: no NAK, but a time-out.
func TestLostOnTheWireTimeOut(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	text := memory(3, 0, 3000)
	span := s.Send(build.ToServer, text)
	s.Wait(time.Second)
	s.Retransmit(span.First)
	s.Ack(build.ToClient)
	// The middle one, and the last one: it goes back to the first, always.
	for lost := span.First; lost < span.End; lost++ {
		d := record(t, s.Frames.Drop(lost))
		if len(d.sends) != 1 || d.sends[0].bytes != string(text) {
			t.Errorf("packet %d lost: %d Sends", lost, len(d.sends))
		}
		c := disorder(d.only())
		if c.LostInCapture != 0 || c.Duplicates+c.Reordered != 0 || c.Retransmissions < 2 {
			t.Errorf("packet %d lost: %+v", lost, c)
		}
	}
}

// The same, sooner than a time-out of the last packet would be: the sender has
// gone back to a packet that the capture has, so it is no reordering.
func TestSenderGoesBackSoon(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	span := s.Send(build.ToServer, memory(3, 0, 3000))
	s.Wait(time.Millisecond)
	s.Retransmit(span.First)
	d := record(t, s.Frames.Drop(span.First+1))
	if got, want := disorder(d.only()), (flow.Counters{Retransmissions: 3, LostOnWire: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// The capture has every frame, but after it one was lost: all is there twice.
func TestLostBehindTheCapture(t *testing.T) {
	t.Run("IPv4", func(t *testing.T) { lostBehindTheCapture(t, build.Setup{}) })
	// No identification of IP tells the packets sent again from the first ones.
	t.Run("IPv6", func(t *testing.T) {
		lostBehindTheCapture(t, build.Setup{Client: build.Host{Addr: build.ClientIPv6}, Server: build.Host{Addr: build.ServerIPv6}, Step: time.Microsecond})
	})
}

func lostBehindTheCapture(t *testing.T, setup build.Setup) {
	s := build.NewConversation(setup)
	s.Connect()
	lost := s.Send(build.ToServer, memory(3, 0, 2000)).First
	psn := s.NextPSN(build.ToServer) - 2
	s.Write(build.ToServer, 9, 0x100, memory(9, 0x100, 1500))
	s.Nak(build.ToClient, psn, build.SyndromePSNSequenceError)
	s.Retransmit(lost)
	s.Ack(build.ToClient)
	greet(s, 1)
	d := record(t, s.Frames)
	d.placedRight()
	if len(d.sends) != 3 || !d.sends[0].whole || len(d.writes) != 2 {
		t.Errorf("%d Sends, %d packets of Writes", len(d.sends), len(d.writes))
	}
	if got, want := disorder(d.only()), (flow.Counters{Retransmissions: 4, NAKs: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// The responder is not ready. The request goes out again, and was sent twice.
func TestReceiverNotReady(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	span := s.Send(build.ToServer, call(1))
	s.RNR(build.ToClient, s.NextPSN(build.ToServer)-1, 14)
	s.Retransmit(span.First)
	s.Ack(build.ToClient)
	d := record(t, s.Frames)
	if got, want := disorder(d.only()), (flow.Counters{Retransmissions: 1, RNRs: 1}); got != want || len(d.sends) != 1 {
		t.Errorf("%+v and %d Sends, want %+v", got, len(d.sends), want)
	}
}

// A mirror gives frames twice, a moment apart. Nothing was retransmitted.
func TestCapturedTwice(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	s.Send(build.ToServer, memory(1, 0, 3000))
	s.Ack(build.ToClient)
	transfer(s, 0x1000, 2500)
	s.Write(build.ToClient, 9, 0, memory(9, 0, 1500))
	s.Nak(build.ToServer, s.NextPSN(build.ToClient), build.SyndromeRemoteAccessError)
	s.Disconnect()
	for i := range s.Frames {
		d := record(t, s.Frames.Duplicate(i))
		d.placedRight()
		d.brought()
		want := flow.Counters{Duplicates: 1, NAKs: 1}
		if c := d.only(); disorder(c) != want || len(d.sends) != 1 || len(d.writes) != 2 || len(d.data) != 3 {
			t.Errorf("frame %d twice: %+v, %d Sends, %d Writes, %d data", i, disorder(c), len(d.sends), len(d.writes), len(d.data))
		}
		if got, want := d.notes(), fmt.Sprintf("%d twice", i+1); got != want {
			t.Errorf("notes: %s; want: %s", got, want)
		}
	}
	// The same bytes after a while were sent again, where no identification
	// of IP makes them differ.
	v6 := build.NewConversation(build.Setup{Client: build.Host{Addr: build.ClientIPv6}, Server: build.Host{Addr: build.ServerIPv6}})
	v6.Connect()
	span := v6.Send(build.ToServer, call(1))
	v6.Wait(time.Millisecond)
	v6.Retransmit(span.First)
	if c := record(t, v6.Frames).only(); disorder(c) != (flow.Counters{Retransmissions: 1}) {
		t.Errorf("sent again over IPv6: %+v", disorder(c))
	}
}

// Neighbours change places in the capture; what they carried does not.
func TestReordered(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	s.Send(build.ToServer, memory(1, 0, 5000))
	s.Ack(build.ToClient)
	transfer(s, 0x1000, 2500)
	s.Write(build.ToClient, 9, 0, memory(9, 0, 3500))
	s.Ack(build.ToServer)
	greet(s, 1)
	for i := 3; i+1 < len(s.Frames); i++ {
		for far := 1; far < 4 && i+far < len(s.Frames); far++ {
			d := record(t, s.Frames.Swap(i, i+far))
			d.placedRight()
			d.brought()
			c := disorder(d.only())
			if c.Reordered > 3 || c.LostInCapture+c.LostOnWire+c.Duplicates+c.Retransmissions != 0 {
				t.Errorf("frames %d and %d swapped: %+v", i, i+far, c)
			}
			if len(d.sends) != 3 || len(d.writes) != 4 || len(d.data) != 3 {
				t.Errorf("frames %d and %d swapped: %d Sends, %d Writes, %d data", i, i+far, len(d.sends), len(d.writes), len(d.data))
			}
		}
	}
}
