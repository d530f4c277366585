package track_test

import (
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
)

// readsAgain are two RDMA Reads of which the first lost a response, so that both are asked for again after
// a wait, the first from there on; and frame is the index of the first response that came.
func readsAgain(setup build.Setup, wait time.Duration) (s *build.Conversation, first, again int) {
	s = build.NewConversation(setup)
	s.Connect()
	sendNumbered(s, 1, 3)
	one, other := s.ReadRequest(build.ToClient, handle, 0, 8192), s.ReadRequest(build.ToClient, handle, 0x10000, 8192)
	first = len(s.Frames)
	lost := s.ReadResponse(one, memory(handle, 0, 8192)).First + 2
	s.ReadResponse(other, memory(handle, 0x10000, 8192))
	s.Frames = s.Frames.Drop(lost)
	s.Wait(wait)
	again = len(s.Frames)
	s.Packet(build.ToClient, build.BTH{OpCode: build.RCReadRequest, PSN: one.PSN + 2, AckReq: true}, build.RETH{VA: 2048, RKey: handle, DMALen: 8192 - 2048})
	s.Packet(build.ToClient, build.BTH{OpCode: build.RCReadRequest, PSN: other.PSN, AckReq: true}, build.RETH{VA: 0x10000, RKey: handle, DMALen: 8192})
	answer(s, one.PSN+2, 2048, 6)
	answer(s, other.PSN, 0x10000, 8)
	sendNumbered(s, 4, 20)
	return s, first, again
}

// answer appends n responses of 1024 bytes of what lies at an address.
func answer(s *build.Conversation, psn uint32, va uint64, n int) {
	for i := range n {
		data := build.Payload(memory(handle, va+uint64(i)<<10, 1024))
		bth := build.BTH{OpCode: build.RCReadResponseMiddle, PSN: psn + uint32(i)}
		switch i {
		case 0:
			bth.OpCode = build.RCReadResponseFirst
		case n - 1:
			bth.OpCode = build.RCReadResponseLast
		default:
			s.Packet(build.ToServer, bth, data)
			continue
		}
		s.Packet(build.ToServer, bth, build.AETH{}, data)
	}
}

// A capture that begins after the requests, amid the responses: those that come again were sent before. It
// lacks the requests, so it cannot tell which of the responses were lost.
func TestBegunAmidReads(t *testing.T) {
	setups := map[string]build.Setup{
		"IPv4": {},
		"IPv6": {Client: build.Host{Addr: build.ClientIPv6}, Server: build.Host{Addr: build.ServerIPv6}},
	}
	for name, setup := range setups {
		for _, wait := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond} {
			s, first, again := readsAgain(setup, wait)
			if c := record(t, s.Frames).only(); c.LostOnWire != 1 || c.Reordered+c.LostInCapture+c.Duplicates != 0 {
				t.Errorf("%s, %v: entire capture: %+v", name, wait, disorder(c))
			}
			for from := first; from < again; from++ {
				// With what came before the requests too: then the capture lacks those, and less is guessed.
				d := record(t, s.Frames[:first-2].And(s.Frames[from:]))
				d.placedRight()
				if c := d.only(); c.LostOnWire != 0 || c.Reordered+c.Duplicates != 0 || c.LostInCapture > 2 || c.Retransmissions < 10 || len(d.data) != 14 {
					t.Errorf("%s, %v, from frame %d: %+v, %d responses", name, wait, from+1, disorder(c), len(d.data))
				}
				d = record(t, s.Frames[from:])
				d.placedRight()
				if c := d.only(); c.LostOnWire+c.Reordered+c.LostInCapture+c.Duplicates != 0 {
					t.Errorf("%s, %v, from frame %d alone: %+v, %d responses", name, wait, from+1, disorder(c), len(d.data))
				}
			}
		}
	}
}
