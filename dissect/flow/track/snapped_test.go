package track_test

import (
	"fmt"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

// afterBTH is where the BTH ends, in bytes of the frame: Ethernet, IPv4, UDP, BTH.
const afterBTH = 14 + 20 + 8 + 12

// everything is a connection with each kind of message; the first three frames
// are its setup.
func everything(pmtu int) *build.Conversation {
	s := build.NewConversation(build.Setup{PMTU: pmtu})
	s.Connect()
	long := func(text []byte) []byte { return append(text, make([]byte, 20)...) }
	for i := range 40 {
		s.Send(build.ToServer, long(call(uint32(i))))
		transfer(s, 0x1000, 5000)
		s.Send(build.ToClient, memory(7, 0, 3000))
		s.Ack(build.ToServer)
		s.Write(build.ToClient, 9, 0x100, memory(9, 0x100, 3000))
		transfer(s, 0x9000, 40)
		s.SendInvalidate(build.ToClient, 9, long(reply(uint32(i))))
		s.Ack(build.ToServer)
		s.SendImmediate(build.ToServer, 9, long(call(uint32(i+100))))
		s.Ack(build.ToClient)
	}
	return s
}

// The snap length cuts the extended headers. The BTH says where a frame belongs,
// and so nothing is missing but what was cut.
func TestHeadersCut(t *testing.T) {
	for _, pmtu := range []int{256, 1024} {
		s := everything(pmtu)
		for n := afterBTH; n <= afterBTH+24; n++ {
			t.Run(fmt.Sprint(pmtu, ", ", n, " bytes"), func(t *testing.T) {
				d := record(t, s.Frames[:3].And(s.Frames[3:].Cut(n)))
				d.placedRight()
				c := d.only()
				if c.Frames != int64(len(s.Frames)) || disorder(c) != (flow.Counters{}) || d.notes() != "" {
					t.Errorf("%d of %d frames, %+v, %s", c.Frames, len(s.Frames), disorder(c), d.notes())
				}
				if len(d.sends) != 4*40 {
					t.Errorf("%d Sends, want %d", len(d.sends), 4*40)
				}
				for _, m := range d.sends {
					if m.whole || m.missing != "the snap length cut its frames" {
						t.Fatalf("a Send is whole: %v, %q", m.whole, m.missing)
					}
				}
				if want := 2 * 40; n >= afterBTH+16 && len(d.reads) != want || n < afterBTH+16 && len(d.reads) != 0 {
					t.Errorf("%d Reads", len(d.reads))
				}
			})
		}
	}
}

// A frame that the capture lacks is still missed among frames whose headers are
// cut, where no Read of unknown length explains it.
func TestLostAmongHeadersCut(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	transfer(s, 0x1000, 5000)
	s.Send(build.ToClient, reply(1))
	s.Ack(build.ToServer)
	lost := s.Send(build.ToClient, reply(2)).First
	for i := range 80 {
		s.Send(build.ToClient, reply(uint32(3+i)))
		s.Ack(build.ToServer)
	}
	d := record(t, s.Frames[:3].And(s.Frames[3:].Cut(afterBTH+10)).Drop(lost))
	if got, want := disorder(d.only()), (flow.Counters{LostInCapture: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	// Right after a Read whose length was cut, it may be of the Read.
	d = record(t, s.Frames[:3].And(s.Frames[3:].Cut(afterBTH+10)).Drop(lost-2))
	if got := disorder(d.only()); got != (flow.Counters{}) {
		t.Errorf("%+v, but nothing is proven", got)
	}
}
