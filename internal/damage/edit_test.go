package damage_test

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/rocev2"
)

// three are frames of a conversation, the last a Send.
func three() (list []capture.Frame) {
	c := build.NewConversation(build.Setup{})
	for _, s := range []string{"first", "second", "third"} {
		c.Send(build.ToServer, []byte(s))
	}
	for i, f := range c.Frames {
		list = append(list, capture.Frame{Number: int64(i + 1), Time: f.Time.UnixNano(), Link: link.TypeEthernet, Data: f.Data, Length: int32(f.Length)})
	}
	return list
}

func TestEdit(t *testing.T) {
	was := three()
	for name, test := range map[string]struct {
		data []byte
		want []int // frames that are left
	}{
		"nothing":  {nil, []int{0, 1, 2}},
		"too few":  {[]byte{0, 1, 2, 3, 4, 5, 6}, []int{0, 1, 2}},
		"lost":     {damage.Lose(1), []int{0, 2}},
		"all lost": {slices.Concat(damage.Lose(0), damage.Lose(0), damage.Lose(0), damage.Lose(0)), nil},
		"again":    {[]byte{0, 2, 0, 0, 0, 0, 0, 16}, []int{0, 1, 2, 2}},
		"swapped":  {[]byte{0, 0, 0, 0, 0, 0, 0, 48}, []int{1, 0, 2}},
		"the last": {[]byte{0, 2, 0, 0, 0, 0, 0, 48}, []int{0, 1, 2}},
	} {
		got := damage.Edit(was, test.data)
		if len(got) != len(test.want) {
			t.Errorf("%s: %d frames, want %d", name, len(got), len(test.want))
			continue
		}
		for i, n := range test.want {
			if !bytes.Equal(got[i].Data, was[n].Data) || got[i].Number != int64(i+1) || i > 0 && got[i].Time < got[i-1].Time {
				t.Errorf("%s: frame %d is %+v, want the data of frame %d", name, i+1, got[i], n+1)
			}
		}
	}
	cut := damage.Edit(was, damage.Cut(1, 20))[1]
	if len(cut.Data) != 20 || cut.Length != was[1].Length {
		t.Errorf("cut to %d of %d bytes", len(cut.Data), cut.Length)
	}
	at := len(was[2].Data) - 8
	for seal, want := range map[byte]bool{0: true, 1: false} {
		data := damage.Change(2, at, 'x')
		data[5] = seal
		f := damage.Edit(was, data)[2]
		var p link.Packet
		p.Decode(f.Link, f.Data, int(f.Length), link.Options{})
		if is, said, ok := rocev2.ICRC(f.Data, &p); f.Data[at] != 'x' || !ok || (is == said) != want {
			t.Errorf("byte %q, the ICRC is %08x, and said to be %08x: want them equal: %v", f.Data[at], is, said, want)
		}
	}
	if !reflect.DeepEqual(was, three()) {
		t.Error("Edit changed the frames that it was handed")
	}
}
