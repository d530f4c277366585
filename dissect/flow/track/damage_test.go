package track_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

// A damaged frame is not what its sender sent, and its receiver drops it: what
// it says is not told, and the frame that replaces it is.
func TestDamaged(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	sendNumbered(s, 1, 1)
	span := s.Send(build.ToServer, memory(1, 0, 3000))
	s.Wait(time.Millisecond)
	s.Retransmit(span.First)
	s.Ack(build.ToClient)
	sendNumbered(s, 2, 2)
	const payload, destQP, psn = 60, 14 + 20 + 8 + 6, 14 + 20 + 8 + 10
	for _, size := range []int{payload, destQP, psn} {
		for i := span.First; i < span.End; i++ {
			d := record(t, s.Frames.Flip(i, size, 0x55))
			want := append(append(numbered(1, 1), string(memory(1, 0, 3000))), numbered(2, 2)...)
			if got := d.texts(0); !slices.Equal(got, want) || len(d.sends) != len(want) {
				t.Errorf("frame %d, byte %d: %d of %d Sends whole, want %d", i, size, len(got), len(d.sends), len(want))
			}
			if v := d.verdicts[i]; v.Note != flow.Corrupt {
				t.Errorf("frame %d, byte %d: note %v", i, size, v.Note)
			}
			if c := d.only(); c.LostInCapture != 0 {
				t.Errorf("frame %d, byte %d: %+v", i, size, c.Counters)
			}
		}
	}
	// A damaged REQ makes no connection.
	again := s.Frames.And(build.Frames{s.Frames[0]}.Flip(0, 100, 1))
	if d := record(t, again); len(d.conns) != 1 || d.verdicts[len(d.verdicts)-1].Note != flow.Corrupt {
		t.Errorf("%d connections", len(d.conns))
	}
	// A capture on the sender's side, before its adapter computes the ICRC, has
	// only wrong ones.
	wrong := s.Frames
	for i, f := range s.Frames {
		if f.Dir == build.ToServer {
			wrong = wrong.Flip(i, len(f.Data)-1, 0xff)
		}
	}
	if d := record(t, wrong); len(d.texts(0)) != 4 || d.only().Setup != flow.SetupCM || d.only().LostInCapture != 0 {
		t.Errorf("%d Sends of a client that computes no ICRC, want 4", len(d.texts(0)))
	}
}

// A damaged address makes no host: neither the source nor the destination.
func TestDamagedAddress(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	sendNumbered(s, 1, 1)
	at := s.Send(build.ToServer, call(2)).First
	s.Wait(time.Millisecond)
	s.Retransmit(at)
	sendNumbered(s, 3, 2)
	const source, destination = 14 + 12, 14 + 16
	for size := source; size < destination+4; size++ {
		d := record(t, s.Frames.Flip(at, size, 0x04))
		if v := d.verdicts[at]; len(d.conns) != 1 || v.Note != flow.Corrupt {
			t.Errorf("byte %d: %d connections, note %v", size, len(d.conns), v.Note)
		}
		if got, want := d.texts(0), numbered(1, 4); !slices.Equal(got, want) {
			t.Errorf("byte %d: said %q, want %q", size, got, want)
		}
	}
	// A host of whose frames all have a wrong ICRC is one, though its peer's are right.
	wrong := s.Frames[3:]
	for i, f := range wrong {
		if f.Dir == build.ToServer {
			wrong = wrong.Flip(i, len(f.Data)-1, 0xff)
		}
	}
	var said []string
	for _, m := range record(t, wrong[1:]).sends { // the peer is heard first
		said = append(said, m.bytes)
	}
	if want := numbered(2, 3); !slices.Equal(said, want) {
		t.Errorf("a client that computes no ICRC said %q, want %q", said, want)
	}
}

// Congestion notifications are frames of the connection and nothing more.
func TestCongestionNotification(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	s.Send(build.ToServer, call(1))
	at := s.CNP(build.ToClient).First
	s.Ack(build.ToClient)
	d := record(t, s.Frames)
	if v := d.verdicts[at]; v.Conn != d.only() || v.From != 1 || v.Note != flow.InOrder {
		t.Errorf("%+v", v)
	}
	if c := d.only(); c.Frames != int64(len(s.Frames)) {
		t.Errorf("%d frames, want %d", c.Frames, len(s.Frames))
	}
}

// Datagrams and opcodes of a manufacturer are of no connection, and change none; a reserved opcode is of
// the connection, and may have taken its PSN or not.
func TestForeignFrames(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	s.Send(build.ToServer, call(1))
	s.Packet(build.ToServer, build.BTH{OpCode: 0x18, PSN: s.NextPSN(build.ToServer)})
	s.Packet(build.ToServer, build.BTH{OpCode: 0x44, PSN: s.NextPSN(build.ToServer)}, build.Payload("reliable datagram"))
	s.Packet(build.ToServer, build.BTH{OpCode: 0xc1, PSN: s.NextPSN(build.ToServer)}, build.Payload("a manufacturer's"))
	s.Send(build.ToServer, call(2))
	d := record(t, s.Frames)
	if c := d.only(); c.Frames != 6 || len(d.sends) != 2 || disorder(c) != (flow.Counters{}) {
		t.Errorf("%d Sends, %+v", len(d.sends), c.Counters)
	}
}
