package track_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

// after is a capture in which one direction comes late, as that of another port.
func behind(f build.Frames, late build.Direction, by time.Duration) build.Frames {
	return build.Merge(f.Only(late.Opposite()), later(f.Only(late), by))
}

// Each acknowledgement that comes before what it acknowledges reports that the
// directions are not in step, and nothing else is told: all is there.
func TestSkewed(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	for i := range uint32(20) {
		s.Send(build.ToServer, call(i))
		s.Ack(build.ToClient)
		transfer(s, uint64(i)<<16, 2500)
		s.Write(build.ToClient, i+1, 0, memory(i+1, 0, 1500))
		s.Send(build.ToClient, reply(i))
		s.Ack(build.ToServer)
		s.Wait(20 * time.Millisecond)
	}
	for _, test := range []struct {
		late   build.Direction
		by     time.Duration
		skewed int64 // of what is sent in each round
	}{
		{build.ToServer, 0, 0},
		{build.ToServer, 15 * time.Microsecond, 1}, // the call
		{build.ToServer, time.Millisecond, 1},
		{build.ToServer, 15 * time.Millisecond, 1},
		{build.ToServer, 100 * time.Millisecond, 1},
		{build.ToClient, 15 * time.Microsecond, 2}, // the READ request, the reply
		{build.ToClient, time.Millisecond, 4},      // and the two of the Write
		{build.ToClient, 100 * time.Millisecond, 4},
	} {
		d := record(t, s.Frames[:3].And(behind(s.Frames[3:], test.late, test.by)))
		d.placedRight()
		c := d.only()
		if got, want := disorder(c), (flow.Counters{Skewed: 20 * test.skewed}); got != want || c.Holes != 0 || d.notes() != "" {
			t.Errorf("late by %v: %+v, %d holes, %s; want %+v", test.by, got, c.Holes, d.notes(), want)
		}
		if len(d.sends) != 40 || len(d.data) != 60 || len(d.writes) != 40 {
			t.Errorf("late by %v: %d Sends, %d responses, %d packets of Writes", test.by, len(d.sends), len(d.data), len(d.writes))
		}
	}
}

// The same over TCP, where time stamps tell it however late the direction is.
func TestIWARPSkewed(t *testing.T) {
	s := build.NewIWARP(build.IWARPSetup{})
	begin := s.Connect().End
	for i := range uint32(20) {
		s.Send(build.ToServer, call(i))
		s.ReadResponse(s.ReadRequest(build.ToClient, handle, uint64(i)<<16, 2500), memory(handle, uint64(i)<<16, 2500))
		s.Write(build.ToClient, i+1, 0, memory(i+1, 0, 1500))
		s.Send(build.ToClient, reply(i))
		s.Ack(build.ToServer)
		s.Wait(20 * time.Millisecond)
	}
	s.Ack(build.ToClient)
	for _, late := range []build.Direction{build.ToServer, build.ToClient} {
		for _, by := range []time.Duration{0, 15 * time.Microsecond, time.Millisecond, 15 * time.Millisecond, 100 * time.Millisecond} {
			d := record(t, s.Frames[:begin].And(behind(s.Frames[begin:], late, by)))
			d.placedRight()
			c := d.only()
			if got := disorder(c); got != (flow.Counters{Skewed: c.Skewed}) || c.Skewed > 0 != (by > 0) || c.Holes != 0 || d.notes() != "" {
				t.Errorf("%d late by %v: %+v, %d holes, %s", late, by, got, c.Holes, d.notes())
			}
			if len(d.texts(0)) != 20 || len(d.texts(1)) != 20 {
				t.Errorf("%d late by %v: %d calls, %d replies", late, by, len(d.texts(0)), len(d.texts(1)))
			}
		}
	}
}

// A burst of more frames than may be missing for long, all of them late: none is
// given up.
func TestSkewedBurst(t *testing.T) {
	roce := build.NewConversation(build.Setup{Step: time.Microsecond})
	begin := roce.Connect().End
	sendNumbered(roce, 1, 400)
	iwarp := build.NewIWARP(build.IWARPSetup{Step: time.Microsecond})
	start := iwarp.Connect().End
	for i := range uint32(400) {
		iwarp.Send(build.ToServer, call(1+i))
		iwarp.Ack(build.ToClient)
	}
	for _, by := range []time.Duration{200 * time.Microsecond, 50 * time.Millisecond} {
		for name, f := range map[string]build.Frames{
			"RoCEv2": roce.Frames[:begin].And(behind(roce.Frames[begin:], build.ToServer, by)),
			"iWARP":  iwarp.Frames[:start].And(behind(iwarp.Frames[start:], build.ToServer, by)),
		} {
			d := record(t, f)
			c := d.only()
			if got, want := disorder(c), (flow.Counters{Skewed: 400}); got != want || c.Holes != 0 || !slices.Equal(d.texts(0), numbered(1, 400)) {
				t.Errorf("%s, %v: %d Sends, %+v, %d holes", name, by, len(d.sends), got, c.Holes)
			}
		}
	}
}

// What was retransmitted, captured twice or has changed places with another of its
// direction shows nothing of the two directions.
func TestNotSkewed(t *testing.T) {
	conversation := func(end func(s *build.Conversation, at build.Span) build.Frames) build.Frames {
		s := build.NewConversation(build.Setup{})
		s.Connect()
		sendNumbered(s, 1, 3)
		at := s.Send(build.ToServer, memory(1, 0, 2500))
		return end(s, at)
	}
	nak := func(s *build.Conversation, at build.Span) {
		s.Nak(build.ToClient, s.NextPSN(build.ToServer)-3, build.SyndromePSNSequenceError)
		s.Retransmit(at.First)
		s.Ack(build.ToClient)
		sendNumbered(s, 5, 100)
	}
	timeOut := func(s *build.Conversation, at build.Span, wait time.Duration) {
		s.Ack(build.ToClient) // lost after the capture
		s.Wait(wait)
		s.Retransmit(at.First)
		s.Ack(build.ToClient)
		sendNumbered(s, 5, 100)
	}
	for name, frames := range map[string]build.Frames{
		"lost on the wire": conversation(func(s *build.Conversation, at build.Span) build.Frames {
			nak(s, at)
			return s.Frames.Drop(at.First)
		}),
		"lost behind the capture": conversation(func(s *build.Conversation, at build.Span) build.Frames {
			nak(s, at)
			return s.Frames
		}),
		"lost in the capture, then sent again": conversation(func(s *build.Conversation, at build.Span) build.Frames {
			timeOut(s, at, 20*time.Millisecond)
			return s.Frames.Drop(at.First, at.First+1, at.First+2)
		}),
		"the same, sooner": conversation(func(s *build.Conversation, at build.Span) build.Frames {
			timeOut(s, at, 20*time.Microsecond)
			return s.Frames.Drop(at.First, at.First+1, at.First+2)
		}),
		"and each acknowledged again": conversation(func(s *build.Conversation, at build.Span) build.Frames {
			s.Ack(build.ToClient)
			s.Retransmit(at.First)
			s.Ack(build.ToClient)
			s.Ack(build.ToClient)
			again := inOrder(s.Frames[at.End+1:], 0, 3, 1, 2, 4)
			sendNumbered(s, 5, 100)
			return s.Frames[:at.First].And(s.Frames[at.End:at.End+1], again, s.Frames[at.End+6:])
		}),
		"a READ request lost in the capture, then sent again": conversation(func(s *build.Conversation, at build.Span) build.Frames {
			s.Ack(build.ToClient)
			r := s.ReadRequest(build.ToClient, handle, 0, 700)
			s.ReadResponse(r, memory(handle, 0, 700)) // lost after the capture
			s.Wait(20 * time.Millisecond)
			s.Retransmit(at.End + 1)
			s.ReadResponse(r, memory(handle, 0, 700))
			sendNumbered(s, 5, 100)
			return s.Frames.Drop(at.End + 1)
		}),
		"the last lost in the capture, then all sent again": conversation(func(s *build.Conversation, at build.Span) build.Frames {
			timeOut(s, at, 20*time.Millisecond)
			return s.Frames.Drop(at.First + 2)
		}),
		"lost in the capture": conversation(func(s *build.Conversation, at build.Span) build.Frames {
			s.Ack(build.ToClient)
			sendNumbered(s, 5, 100)
			return s.Frames.Drop(at.First)
		}),
		"captured twice": conversation(func(s *build.Conversation, at build.Span) build.Frames {
			s.Ack(build.ToClient)
			return s.Frames.Duplicate(at.First + 1)
		}),
		"two of a direction change places": conversation(func(s *build.Conversation, at build.Span) build.Frames {
			s.Ack(build.ToClient)
			return s.Frames.Swap(at.First, at.First+1)
		}),
		"the first of them behind the acknowledgement": conversation(func(s *build.Conversation, at build.Span) build.Frames {
			s.Ack(build.ToClient)
			return s.Frames[:at.First].And(inOrder(s.Frames[at.First:], 1, 2, 3, 0))
		}),
		"refused, and the first lost in the capture": conversation(func(s *build.Conversation, at build.Span) build.Frames {
			lost := s.Send(build.ToServer, call(4)).First
			s.RNR(build.ToClient, s.NextPSN(build.ToServer)-1, 12) // 0.64 ms
			s.Wait(640 * time.Microsecond)
			s.Retransmit(lost)
			s.Ack(build.ToClient)
			return s.Frames.Drop(lost)
		}),
	} {
		if c := record(t, frames).only(); c.Skewed != 0 {
			t.Errorf("%s: %+v", name, c.Counters)
		}
	}
}
