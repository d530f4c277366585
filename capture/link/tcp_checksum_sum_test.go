package link

import (
	"math/rand/v2"
	"testing"
)

// TestSum16 holds the sum against one of 16-bit words, one by one.
func TestSum16(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		b := make([]byte, r.IntN(200))
		for i := range b {
			switch r.IntN(3) { // many zeros and ones, which carry
			case 0:
				b[i] = byte(r.Uint32())
			case 1:
				b[i] = 0xff
			}
		}
		var want uint64
		for i, x := range b {
			want += uint64(x) << (8 * (1 - i%2))
		}
		if got := folded(sum16(b)); got != folded(want) {
			t.Fatalf("%x: %#x, want %#x", b, got, folded(want))
		}
	}
}
