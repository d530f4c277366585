package track_test

import (
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
)

// A capture begins with some Sends, and then the sender goes back to one from before it. The capture need not lack
// those in between, nor were they overtaken or lost when they come.
func TestBegunBeforeGoingBack(t *testing.T) {
	const n, back = 8, 2 // Sends, and which one the sender goes back to
	for _, wait := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond} {
		for from := back + 1; from < n; from++ {
			for lost := back; lost <= from; lost++ {
				s := build.NewConversation(build.Setup{})
				sends := s.Frames
				for i := range uint32(n) {
					s.Send(build.ToServer, call(1+i))
				}
				s.Wait(wait)
				again := len(s.Frames)
				s.Retransmit(len(sends) + back)
				s.Ack(build.ToClient)
				for i := range uint32(n) {
					s.Send(build.ToClient, reply(1+i))
				}
				frames := s.Frames
				if lost > back { // else nothing is, the second time
					frames = frames.Drop(again + lost - back)
				}
				c := record(t, frames[from:]).only()
				if c.LostInCapture+c.LostOnWire+c.Reordered+c.Duplicates != 0 || c.Retransmissions == 0 {
					t.Errorf("%v, from Send %d, %d lost: %+v", wait, from+1, lost+1, disorder(c))
				}
			}
		}
	}
}

// A request that the capture began after comes again, while responses to it still come from the first time: those to
// the second are retransmissions.
func TestBegunBehindAnswers(t *testing.T) {
	for name, setup := range map[string]build.Setup{
		"IPv4": {},
		"IPv6": {Client: build.Host{Addr: build.ClientIPv6}, Server: build.Host{Addr: build.ServerIPv6}},
	} {
		s := build.NewConversation(setup)
		r := s.ReadRequest(build.ToClient, handle, 0, 8192)
		s.ReadResponse(r, memory(handle, 0, 8192))
		again := len(s.Frames)
		s.Packet(build.ToClient, build.BTH{OpCode: build.RCReadRequest, PSN: r.PSN, AckReq: true}, build.RETH{VA: 0, RKey: handle, DMALen: 8192})
		answer(s, r.PSN, 0, 8)
		greet(s, 1)
		request := s.Frames[again]
		for from := 3; from < again; from++ {
			// The second request is on its way before the last of the first responses.
			frames := build.Frames{request}.And(s.Frames[from:again], s.Frames[again+1:])
			frames[0].Time = s.Frames[from-1].Time
			d := record(t, frames)
			d.placedRight()
			c := d.only()
			if c.LostOnWire+c.LostInCapture+c.Reordered+c.Duplicates != 0 || c.Retransmissions != int64(8) || len(d.data) != 8 {
				t.Errorf("%s, from response %d: %+v, %d responses", name, from, disorder(c), len(d.data))
			}
		}
	}
}
