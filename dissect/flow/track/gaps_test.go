package track_test

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/build"
)

// rounds are some calls with all that RDMA does for them.
func rounds(s *build.Conversation) {
	for i := range uint32(8) {
		s.Send(build.ToServer, call(i))
		s.Ack(build.ToClient)
		transfer(s, uint64(i)<<16, 2500)
		s.Write(build.ToClient, i+1, 0, memory(i+1, 0, 1500))
		s.Send(build.ToClient, reply(i))
		s.Ack(build.ToServer)
	}
}

// A frame that the capture lacks is a hole, before the next of its kind that the
// sender sent; a missing acknowledgement is none, since nothing shows it.
func TestHoles(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	begin := s.Connect().End
	rounds(s)
	end := len(s.Frames)
	rounds(s)
	op := func(i int) byte { return s.Frames[i].Data[atBTH] }
	request := func(i int) bool { return op(i) < build.RCReadResponseFirst || op(i) > build.RCAtomicAcknowledge }
	// acked is the first frame after a Send or RDMA Write by which its receiver acknowledges all
	// up to it.
	acked := func(i int) int {
		psn := func(j int) uint32 { return binary.BigEndian.Uint32(s.Frames[j].Data[atBTH+8:]) & 0xffffff }
		for j := i + 1; j < end; j++ {
			if s.Frames[j].Dir != s.Frames[i].Dir && !request(j) && psn(j) >= psn(i) {
				return j
			}
		}
		return end
	}
	for i := begin; i < end; i++ {
		next := i + 1
		for s.Frames[next].Dir != s.Frames[i].Dir || request(next) != request(i) {
			next++
		}
		c := record(t, s.Frames.Drop(i)).only()
		switch {
		case op(i) == build.RCAcknowledge:
			if c.Holes != 0 {
				t.Errorf("frame %d is an acknowledgement, and %d holes are told", i+1, c.Holes)
			}
		case c.Holes != 1:
			t.Errorf("frame %d has opcode 0x%02x: %d holes, want 1", i+1, op(i), c.Holes)
		case op(i) == build.RCReadRequest:
			if by := int(c.LastHole().Ref.Number); by != next && (by <= i || by > next || s.Frames[by].Dir == s.Frames[i].Dir) {
				t.Errorf("frame %d, an RDMA Read request: the hole is before frame %d", i+1, by+1)
			}
		case request(i) && c.LastHole().Ref != (flow.Ref{Number: int64(min(next, acked(i)))}):
			t.Errorf("frame %d: the hole is before frame %d, want %d", i+1, c.LastHole().Ref.Number+1, min(next, acked(i))+1)
		case !request(i):
			// Responses show what is missing of them when the last comes, or by an
			// acknowledgement of what is behind them.
			by := int(c.LastHole().Ref.Number) // index before the drop
			if by < next || by > i+8 || request(by) || s.Frames[by].Dir != s.Frames[i].Dir {
				t.Errorf("frame %d, a response: the hole is before frame %d", i+1, by+1)
			}
		}
		if c.Holes > 0 && c.LastHole().Time != s.Frames[c.LastHole().Ref.Number].Time.UnixNano() {
			t.Errorf("frame %d: the hole has another time", i+1)
		}
	}
}

// The same over iWARP, where what stands after a hole may take some frames to be
// understood again.
func TestIWARPHoles(t *testing.T) {
	for _, setup := range []build.IWARPSetup{{}, {MarkersToServer: true, MarkersToClient: true, CRC: true}} {
		s := build.NewIWARP(setup)
		begin := s.Connect().End
		for i := range uint32(12) {
			s.Send(build.ToServer, call(i))
			s.Ack(build.ToClient)
			s.ReadResponse(s.ReadRequest(build.ToClient, handle, uint64(i)<<16, 2500), memory(handle, uint64(i)<<16, 2500))
			s.Write(build.ToClient, i+1, 0, memory(i+1, 0, 1500))
			s.Send(build.ToClient, reply(i))
			s.Ack(build.ToServer)
		}
		for i := begin; i < len(s.Frames)/2; i++ {
			d := record(t, s.Frames.Drop(i))
			c := d.only()
			if len(payloadOf(s.Frames[i])) == 0 {
				if c.Holes != 0 {
					t.Errorf("frame %d is an acknowledgement, and %d holes are told", i+1, c.Holes)
				}
				continue
			}
			next := i + 1
			for s.Frames[next].Dir != s.Frames[i].Dir || len(payloadOf(s.Frames[next])) == 0 {
				next++
			}
			if by := int(c.LastHole().Ref.Number); c.Holes == 0 || by < next || by > next+12 {
				t.Errorf("without frame %d: %d holes, the last before frame %d, want %d", i+1, c.Holes, by+1, next+1)
			}
		}
	}
}

// What comes late, or again, leaves no hole, and while it is awaited there is a
// gap.
func TestNoHoles(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	begin := s.Connect().End
	rounds(s)
	lost := s.Send(build.ToServer, memory(1, 0, 3000)).First
	s.Nak(build.ToClient, s.NextPSN(build.ToServer)-3, build.SyndromePSNSequenceError)
	s.Wait(time.Millisecond)
	s.Retransmit(lost)
	s.Ack(build.ToClient)
	// A response is lost on the wire, and the rest is asked for again.
	r := s.ReadRequest(build.ToClient, handle, 0, 2500)
	answer := s.ReadResponse(r, memory(handle, 0, 2500))
	s.Wait(time.Millisecond)
	s.Packet(build.ToClient, build.BTH{OpCode: build.RCReadRequest, PSN: r.PSN + 1, AckReq: true}, build.RETH{VA: 1024, RKey: handle, DMALen: 2500 - 1024})
	s.Packet(build.ToServer, build.BTH{OpCode: build.RCReadResponseFirst, PSN: r.PSN + 1}, build.AETH{}, build.Payload(memory(handle, 1024, 1024)))
	s.Packet(build.ToServer, build.BTH{OpCode: build.RCReadResponseLast, PSN: r.PSN + 2}, build.AETH{}, build.Payload(memory(handle, 2048, 2500-2048)))
	rounds(s)
	frames := s.Frames.Drop(lost, answer.First+1)
	if c := record(t, frames).only(); c.Holes != 0 || c.LostOnWire != 2 {
		t.Errorf("%d holes, %d lost on the wire, want 0 and 2", c.Holes, c.LostOnWire)
	}
	for i := begin; i+3 < len(frames); i++ {
		for by := 1; by <= 3; by++ {
			if c := record(t, frames.Swap(i, i+by)).only(); c.Holes != 0 {
				t.Errorf("frames %d and %d swapped: %d holes, the last before frame %d", i+1, i+by+1, c.Holes, c.LastHole().Ref.Number)
			}
		}
	}
}

// A gap is there from the frame that shows it to the one that fills it.
func TestGap(t *testing.T) {
	roce := build.NewConversation(build.Setup{})
	begin := roce.Connect().End
	iwarp := build.NewIWARP(build.IWARPSetup{})
	start := iwarp.Connect().End
	for i := range uint32(6) {
		roce.Send(build.ToServer, call(i))
		iwarp.Send(build.ToServer, call(i))
	}
	for name, f := range map[string]build.Frames{"RoCEv2": roce.Frames[begin-3:], "iWARP": iwarp.Frames[start-5:]} {
		late := len(f) - 5
		f = append(append(f[:late:late], f[late+1:len(f)-1]...), f[late], f[len(f)-1])
		d := newRecorder(t)
		r := driver{tracker: follow(d, track.Options{Peek: peek})}
		var got []bool
		for _, frame := range f {
			if v := r.take(frame.Data, frame.Length, frame.Time.UnixNano()); v.Conn != nil {
				got = append(got, v.Conn.Gap())
			}
		}
		r.tracker.Flush()
		got = got[len(got)-6:]
		if fmt.Sprint(got) != "[false true true true false false]" {
			t.Errorf("%s: gaps %v", name, got)
		}
		if c := d.only(); c.Holes != 0 || len(d.sends) != 6 {
			t.Errorf("%s: %d holes, %d Sends", name, c.Holes, len(d.sends))
		}
	}
}
