package build

import (
	"bytes"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"
)

// five frames with one letter each, a second apart.
func five() Frames {
	var f Frames
	for i := range 5 {
		d := ToServer
		if i%2 == 1 {
			d = ToClient
		}
		f = append(f, Frame{Time: time.Unix(int64(i), 0).UTC(), Dir: d, Data: []byte{'a' + byte(i), 0xf0}, Length: 2})
	}
	return f
}

func letters(f Frames) (s string) {
	for _, frame := range f {
		s += string(frame.Data[:1])
	}
	return s
}

func TestFramesEdits(t *testing.T) {
	f := five()
	for _, test := range []struct {
		name, want string
		got        Frames
	}{
		{"Drop", "ace", f.Drop(1, 3)},
		{"Drop of all", "", f.Drop(0, 1, 2, 3, 4)},
		{"Duplicate", "abbcde", f.Duplicate(1)},
		{"Duplicate of the last", "abcdee", f.Duplicate(4)},
		{"Swap", "adcbe", f.Swap(3, 1)},
		{"Only", "bd", f.Only(ToClient)},
		{"Flip", "abbde", f.Flip(2, 0, 1)},
	} {
		if got := letters(test.got); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		last := time.Time{}
		for _, frame := range test.got {
			if frame.Time.Before(last) {
				t.Errorf("%s: time goes back to %v", test.name, frame.Time)
			}
			last = frame.Time
		}
		if got := letters(f); got != "abcde" {
			t.Fatalf("%s changed its receiver to %s", test.name, got)
		}
	}
	for _, frame := range f.Cut(1) {
		if len(frame.Data) != 1 || frame.Length != 2 {
			t.Errorf("cut to 1: %+v", frame)
		}
	}
}

// gopacket's reader finds in the file what was written.
func TestWritePcap(t *testing.T) {
	c := NewConversation(Setup{Start: time.Unix(1700000000, 123456789).UTC()})
	c.Connect()
	c.Call(NFS3GetAttr(1, fh))
	frames := c.Frames.Cut(60)
	var file bytes.Buffer
	if err := WritePcap(&file, frames); err != nil {
		t.Fatal(err)
	}
	r, err := pcapgo.NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	if r.LinkType() != layers.LinkTypeEthernet {
		t.Errorf("link type %v", r.LinkType())
	}
	for i, want := range frames {
		data, info, err := r.ReadPacketData()
		if err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
		same(t, "frame", data, want.Data)
		if !info.Timestamp.Equal(want.Time) || info.Length != want.Length {
			t.Errorf("frame %d: %v, %d bytes; want %v, %d", i, info.Timestamp, info.Length, want.Time, want.Length)
		}
	}
	if _, _, err := r.ReadPacketData(); err != io.EOF {
		t.Errorf("behind the last frame: %v", err)
	}
	if err := WritePcap(failing{}, frames); err != io.ErrClosedPipe {
		t.Errorf("a writer that fails gives %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestMergeAndAnd(t *testing.T) {
	a, b := NewConversation(Setup{}), NewConversation(Setup{})
	b.Wait(15 * time.Microsecond)
	for range 3 {
		a.Send(ToServer, nil)
		b.Send(ToClient, nil)
	}
	var dirs []Direction
	for _, f := range Merge(b.Frames, a.Frames) {
		dirs = append(dirs, f.Dir)
	}
	if want := []Direction{ToServer, ToServer, ToClient, ToServer, ToClient, ToClient}; !slices.Equal(dirs, want) {
		t.Errorf("merged %v, want %v", dirs, want)
	}
	if both := a.Frames.And(b.Frames, a.Frames[:1]); len(both) != 7 || both[3].Dir != ToClient || both[6].Dir != ToServer {
		t.Errorf("%d frames one behind the other", len(both))
	}
}

// The transport service is in every opcode but those of datagrams, and in the
// REQ; XRC requests name a shared receive queue.
func TestTransports(t *testing.T) {
	for transport, want := range map[uint8]struct{ opcode, service, ext uint8 }{
		ReliableConnection:         {0x04, 0, 0},
		UnreliableConnection:       {0x24, 1, 0},
		ExtendedReliableConnection: {0xa4, 3, 1},
	} {
		c := NewConversation(Setup{Transport: transport})
		c.Request()
		c.Send(ToServer, []byte("four"))
		c.Ack(ToClient)
		const bth, body = 14 + 20 + 8, 14 + 20 + 8 + 12 + 8 + 24
		req, send, ack := c.Frames[0].Data, c.Frames[1].Data, c.Frames[2].Data
		if req[bth] != UDSendOnly || req[body+43]>>1&3 != want.service || req[body+51]&7 != want.ext {
			t.Errorf("0x%02x: a REQ of opcode 0x%02x for service %d, %d", transport, req[bth], req[body+43]>>1&3, req[body+51]&7)
		}
		if send[bth] != want.opcode || ack[bth] != transport|RCAcknowledge {
			t.Errorf("0x%02x: opcodes 0x%02x and 0x%02x", transport, send[bth], ack[bth])
		}
		if n := len(send) - bth - 12 - 4 - 4; n != int(want.ext)*4 {
			t.Errorf("0x%02x: %d bytes of extended headers in a Send", transport, n)
		}
	}
}
