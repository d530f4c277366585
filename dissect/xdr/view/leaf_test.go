package view_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// TestLeaves holds that each byte is of one value, but for pad; that what holds others is none
// itself; and that nothing is reported of what stands after a fault.
func TestLeaves(t *testing.T) {
	p := sample(t)
	b := append([]byte("RPC!"), hexBytes(0, data("tag"), 2, 25, 0, 1, 9, 9, 0, 1, 1<<1|1<<4, data("\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x10\x00"))...)
	reduced := walk.Reduction{Writes: []uint32{9}}
	told := func(b []byte) (text string, opaque, pad int) {
		at := 4
		view.Leaves(sampleResult(p, 1), b, at, reduced, func(l view.Leaf) {
			if l.Start < at || l.End < l.Start || l.End > len(b) {
				t.Fatalf("%d to %d, behind %d of %d bytes", l.Start, l.End, at, len(b))
			}
			pad += l.Start - at
			if l.Type != nil && (l.Type.Kind == types.Opaque || l.Type.Kind == types.String) {
				opaque += l.End - l.Start
				text += string(b[l.Start:l.End])
			}
			at = l.End
		})
		return text, opaque, pad + len(b) - at
	}
	if text, opaque, pad := told(b); text != "tag" || opaque != 3 || pad != 1 {
		t.Errorf("text %q, %d bytes of opaque data, %d of no value", text, opaque, pad)
	}
	for n := 4; n < len(b); n++ {
		if text, _, rest := told(b[:n]); text != "" && text != "tag" || rest > 20 {
			t.Errorf("of %d bytes: %q, %d of no value", n, text, rest)
		}
	}
	if _, _, rest := told(append(b[:len(b):len(b)], "more"...)); rest != 5 {
		t.Errorf("bytes behind the value: %d of no value", rest)
	}
}
