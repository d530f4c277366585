package link

import (
	"bytes"
	"testing"

	"github.com/rdmacap/rdmacap/internal/shipped"
)

// The straight-line route gives what the general one gives, to the last bit of
// the record: for frames cut anywhere, with other bytes, stated lengths and
// ports.
func TestPlainIsGeneral(t *testing.T) {
	plain := 0
	compare := func(data []byte, length int) {
		t.Helper()
		var got, want Packet
		got.SrcPort, got.fault, got.flags = 1, optionShort, hasGRH // of the frame before
		if got.decodePlain(data, length, 2049) {
			plain++
			if want.decodeAny(TypeEthernet, data, length, Options{RoCEPort: 2049}, maxTunnels, nil); got != want {
				t.Fatalf("% x of %d bytes\nby the straight-line route %+v\nelse %+v", data, length, got, want)
			}
		}
	}
	frames := shipped.Frames(t, "rxe-cb", 30)
	frames = append(frames, shipped.Frames(t, "siw-loss", 60)...)
	for _, v := range vectors() {
		frames = append(frames, v.data)
	}
	for _, b := range frames {
		b = b[:min(len(b), 100):min(len(b), 100)]
		for n := range b {
			compare(b[:n], n)
			compare(b[:n], len(b))
			compare(b, len(b)+n)
			changed := bytes.Clone(b)
			for _, c := range []byte{0, 1, 5, 8, 10, 12, 0x11, 0x45, 0x50, 0x80, 0xFF, b[n] - 1, b[n] + 1} {
				changed[n] = c
				compare(changed, len(changed))
				compare(changed, 1<<16)
			}
		}
	}
	if plain < 10_000 {
		t.Errorf("only %d frames went by the straight-line route", plain)
	}
}

// Nearly all frames of RDMA captures go by the straight-line route.
func TestPlainIsUsed(t *testing.T) {
	for _, name := range []string{"rxe-basic", "siw-basic"} {
		plain := 0
		for _, b := range shipped.Frames(t, name, 1000) {
			var p Packet
			if p.decodePlain(b, len(b), 0) {
				plain++
			}
		}
		if plain < 950 {
			t.Errorf("%s: %d of 1000 frames", name, plain)
		}
	}
}
