package dissect_test

import (
	"io"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/shed"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/damage"
)

// oneByOne is a Source that gives one frame at a time.
type oneByOne struct {
	list []capture.Frame
	at   int
}

func (s *oneByOne) Next(f *capture.Frame) error {
	if s.at == len(s.list) {
		return io.EOF
	}
	*f = s.list[s.at]
	s.at++
	return nil
}

// letGo notes which connections end, and whether they were let go.
type letGo struct {
	gaps
	ended map[string][]bool
	rpcs  int
}

func (l *letGo) RPC(*dissect.RPC) { l.rpcs++ }
func (l *letGo) Connection(c *dissect.Connection, final bool) {
	if final {
		client := c.Client().Addr.String()
		l.ended[client] = append(l.ended[client], c.LetGo)
	}
}

// TestIdleIsLetGo lets go of connections that had no frame for long: of one with an open call
// nothing is reported but that it ends, and others are followed on.
func TestIdleIsLetGo(t *testing.T) {
	idle := build.NewConversation(build.Setup{Client: build.Host{Addr: netip.MustParseAddr("10.0.0.7")}})
	idle.Connect()
	idle.Call(build.NFS3Null(1))
	busy := build.NewConversation(build.Setup{Client: build.Host{Addr: netip.MustParseAddr("10.0.0.8")}})
	busy.Connect()
	for i := range uint32(10) {
		busy.Wait(5 * time.Second)
		busy.Reply(busy.Call(build.NFS3Null(i)), build.NFS3NullReply(i))
	}
	whole := &damage.Capture{Link: link.TypeEthernet}
	source := &oneByOne{list: asRead(whole, slices.Concat(idle.Frames, busy.Frames))}
	for _, asked := range []bool{false, true} {
		source.at = 0
		sink := &letGo{ended: map[string][]bool{}}
		shedder := shed.New(func(time.Time, *shed.Frames) shed.Order {
			return shed.Order{Idle: asked && source.at == len(source.list)-1}
		})
		d := dissect.New(sink, dissect.Options{Shed: shedder})
		if _, err := d.Run(source, func(bool) error { return nil }); err != nil {
			t.Fatal(err)
		}
		before := len(sink.ended["10.0.0.7"])
		d.Flush()
		if want := map[bool]int{true: 1}[asked]; before != want || len(sink.ended["10.0.0.7"]) != 1 || sink.ended["10.0.0.7"][0] != asked {
			t.Errorf("asked %v: the idle one ended %d times before the capture did, %v", asked, before, sink.ended)
		}
		if got := sink.ended["10.0.0.8"]; len(got) != 1 || got[0] {
			t.Errorf("asked %v: the busy one: %v", asked, got)
		}
		if want := map[bool]int{true: 10, false: 11}[asked]; sink.rpcs != want || shedder.Shed() != 0 {
			t.Errorf("asked %v: %d RPCs, want %d; %d frames shed", asked, sink.rpcs, want, shedder.Shed())
		}
	}
}

// TestDropIsNotShed has a frame shed before which others were dropped: the next that is
// followed says so.
func TestDropIsNotShed(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	bucket := func(f build.Frame) int {
		var p link.Packet
		p.Decode(link.TypeEthernet, f.Data, f.Length, link.Options{})
		return shed.Bucket(p.Src(), p.Dst())
	}
	var other *build.Conversation
	for client := netip.MustParseAddr("10.0.0.9"); other == nil || bucket(other.Frames[0]) >= bucket(s.Frames[0]); client = client.Next() {
		other = build.NewConversation(build.Setup{Client: build.Host{Addr: client}})
		other.Connect()
	}
	for range 3 {
		s.Send(build.ToServer, []byte("call"))
		s.Ack(build.ToClient)
	}
	whole := &damage.Capture{Link: link.TypeEthernet}
	frames := slices.Concat(s.Frames[:3], other.Frames, s.Frames[3:])
	list := asRead(whole, frames)
	list[4].Extra = &capture.Extra{Dropped: true} // one of the other
	b := gaps{}
	shedder := shed.New(func(time.Time, *shed.Frames) shed.Order { return shed.Order{Below: bucket(other.Frames[0]) + 1} })
	d := dissect.New(b, dissect.Options{Shed: shedder})
	if _, err := d.Run(&oneByOne{list: list}, func(bool) error { return nil }); err != nil {
		t.Fatal(err)
	}
	d.Flush()
	if got := b[1]; len(b) != 1 || got.Holes != 1 || got.LastHole().Ref.Number != 7 || shedder.Shed() != 3 {
		t.Errorf("%+v, %d frames shed", b, shedder.Shed())
	}
}
