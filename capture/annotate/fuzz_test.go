package annotate

import (
	"math"
	"testing"

	"github.com/rdmacap/rdmacap/internal/shipped"
)

// FuzzCopy copies files that may be anything. It never panics; the copy can be
// read, and has the frames of the original.
func FuzzCopy(f *testing.F) {
	for i, o := range orders {
		f.Add(everything(o, orders[1-i]))
		f.Add(join(pcapHead(o, 0xa1b2cd34, 0, 1), pcapRecord(o, 1, 2, 3, "abc", "8 bytes")))
		f.Add(join(section(o, math.MaxUint64), iface(o, 1, 0), enhanced(o, 7, 1, 3, "abc"), enhanced(o, 0, 1, 3, "abc")))
	}
	f.Add(shipped.Unpacked(f, "rxe-cb", 2000))
	f.Add(shipped.Unpacked(f, "rxe-loss", 2000))
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) > 3 && (file[0] == 0x1f || file[0]&0xf0 == 0x50 || file[0] == 0x28) {
			return // how much of broken compressed data can be read depends on how it is read
		}
		held(t, file, comments(3))
	})
}
