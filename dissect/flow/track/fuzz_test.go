package track_test

import (
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/build"
)

// The input of FuzzTracker is a capture: two bytes with the length of a frame
// and two with the time since the one before, in steps of 10 microseconds, then
// the frame.
func pack(frames build.Frames) (b []byte) {
	for _, f := range frames {
		b = binary.BigEndian.AppendUint16(b, uint16(len(f.Data)))
		b = binary.BigEndian.AppendUint16(b, 1)
		b = append(b, f.Data...)
	}
	return b
}

// FuzzTracker feeds whatever to a tracker. It must not panic, must tell nothing
// impossible (the recorder sees to that), and must keep no more than its limits.
func FuzzTracker(f *testing.F) {
	s := build.NewConversation(build.Setup{PMTU: 256})
	s.Connect()
	greet(s, 1)
	lost := s.Send(build.ToServer, memory(1, 0, 700)).First
	s.Nak(build.ToClient, s.NextPSN(build.ToServer)-3, build.SyndromePSNSequenceError)
	s.Retransmit(lost)
	transfer(s, 0x1000, 900)
	s.Write(build.ToClient, 9, 0, memory(9, 0, 300))
	s.SendInvalidate(build.ToClient, 9, reply(2))
	s.CNP(build.ToClient)
	s.Disconnect()
	f.Add(pack(s.Frames))
	f.Add(pack(s.Frames[3:]))
	f.Add(pack(s.Frames.Drop(1, lost, lost+6)))
	f.Add(pack(s.Frames.Only(build.ToServer)))
	f.Add(pack(s.Frames.Swap(0, 1).Swap(4, 8).Duplicate(9)))
	f.Add(pack(build.Merge(talk(build.Setup{}, 1, 3), talk(build.Setup{Client: build.Host{QPN: 0x12}, Server: build.Host{QPN: 0x11}}, 1, 3))))
	unreliable := build.NewConversation(build.Setup{Transport: build.UnreliableConnection, RoCEv1: true})
	unreliable.Connect()
	unreliable.Send(build.ToServer, memory(1, 0, 3000))
	f.Add(pack(unreliable.Frames))
	f.Fuzz(func(t *testing.T, b []byte) {
		d := newRecorder(t)
		r := driver{tracker: follow(d, track.Options{Peek: peek})}
		time, frames := int64(0), int64(0)
		for len(b) > 4 {
			n := min(int(binary.BigEndian.Uint16(b)), len(b)-4)
			time += int64(int16(binary.BigEndian.Uint16(b[2:]))) * 10_000
			d.captured(flow.Ref{Number: r.number + 1}, b[4:4+n])
			v := r.take(b[4:4+n], n, time)
			if v.Conn != nil && !d.opened[v.Conn] {
				t.Error("a verdict names a connection that was not opened")
			}
			b = b[4+n:]
			frames++
		}
		within(t, r.tracker)
		r.tracker.Flush()
		counted := int64(0)
		for _, c := range d.conns {
			if !d.closed[c] {
				t.Errorf("connection %d is never closed", c.ID)
			}
			counted += c.Frames
			if n := c.Counters; n.LostInCapture < 0 || n.Reordered < 0 || n.LostOnWire > n.Retransmissions {
				t.Errorf("impossible counters: %+v", n)
			}
		}
		if counted > frames {
			t.Errorf("the connections have %d frames, the capture %d", counted, frames)
		}
		if c := r.tracker.Census(); c.Conns+c.Waiting+c.Halves+c.Setups+c.Unpaired+c.Queued+c.Kept+c.Assembled+c.Candidates != 0 {
			t.Errorf("behind the end of the capture: %+v", c)
		}
	})
}
