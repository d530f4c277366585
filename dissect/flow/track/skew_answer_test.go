package track_test

import (
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
)

// What a receiver is not ready for, or refuses for good, it has received.
func TestSkewedRefusal(t *testing.T) {
	for name, test := range map[string]struct {
		syndrome byte
		skewed   int64
	}{
		"RNR":                 {0x20 | 14, 1},
		"remote access error": {build.SyndromeRemoteAccessError, 1},
		"PSN sequence error":  {build.SyndromePSNSequenceError, 0}, // that one it has not
		"reserved":            {0x40, 0},
	} {
		s := build.NewConversation(build.Setup{})
		s.Connect()
		sendNumbered(s, 1, 3)
		at := s.Send(build.ToServer, call(4)).First
		s.Nak(build.ToClient, s.NextPSN(build.ToServer)-1, test.syndrome)
		if c := record(t, s.Frames.Swap(at, at+1)).only(); c.Skewed != test.skewed {
			t.Errorf("%s: %+v", name, c.Counters)
		}
	}
}

// What was counted stays, whatever is retransmitted later, and however far the PSNs go.
func TestSkewedOnce(t *testing.T) {
	start := func() (s *build.Conversation) {
		s = build.NewConversation(build.Setup{})
		s.Connect()
		sendNumbered(s, 1, 3)
		s.Frames = s.Frames.Swap(3, 4).Swap(5, 6) // of two, the acknowledgement first
		return s
	}
	resent := start()
	at := resent.Send(build.ToServer, call(4)).First
	resent.Ack(build.ToClient) // lost after the capture
	resent.Wait(20 * time.Millisecond)
	resent.Retransmit(at)
	resent.Ack(build.ToClient)

	wrapped := start()
	for range 200 {
		wrapped.ReadRequest(build.ToServer, handle, 0, 100_000<<10)
	}

	answered := start()
	read := answered.ReadRequest(build.ToClient, handle, 0, 700)
	answer := answered.ReadResponse(read, memory(handle, 0, 700)).First
	for name, test := range map[string]struct {
		frames build.Frames
		skewed int64
	}{
		"something is sent again": {resent.Frames, 2},
		"the PSNs wrap":           {wrapped.Frames, 2},
		"a response captured twice, the READ request between": {answered.Frames.Duplicate(answer).Swap(answer-1, answer), 3},
	} {
		if c := record(t, test.frames).only(); c.Skewed != test.skewed {
			t.Errorf("%s: %+v", name, c.Counters)
		}
	}
}
