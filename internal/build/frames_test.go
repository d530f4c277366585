package build

import (
	"bytes"
	"io"
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
			t.Errorf("frame %d: %v, %d octets; want %v, %d", i, info.Timestamp, info.Length, want.Time, want.Length)
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
