package keep

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestWindow pushes chunks of any length, and holds that those which are reported to be there are
// the newest, in order and with their bytes, and use most of the memory.
func TestWindow(t *testing.T) {
	const memory = 1 << 20
	w := window{Around: Around{Memory: memory}}
	defer w.release()
	random := rand.New(rand.NewPCG(3, 4))
	var all []chunk
	for n := range int64(3000) {
		size := random.IntN(100_000)
		if n%97 == 0 {
			size = memory + random.IntN(3) - 1
		}
		c := chunk{b: bytes.Repeat([]byte{byte(n)}, size), newest: n}
		w.push(&c)
		all = append(all, c)
		length := 0
		for i, x := range w.chunks {
			want := &all[len(all)-len(w.chunks)+i]
			if size > memory {
				break // nothing is there
			}
			if x.newest != want.newest || !bytes.Equal(x.b, want.b) {
				t.Fatalf("push %d: chunk %d of %d is not number %d", n, i, len(w.chunks), want.newest)
			}
			length += len(x.b)
		}
		if size > memory && len(w.chunks) > 0 || w.some && w.gone != n-int64(len(w.chunks)) {
			t.Fatalf("push %d: %d chunks, gone up to %d", n, len(w.chunks), w.gone)
		}
		if n%97 > 30 && length < memory*3/5 {
			t.Errorf("push %d: %d bytes in use", n, length)
		}
	}
	for n := range int64(3 * mostChunks) {
		w.push(&chunk{b: []byte{1}, newest: 5000 + n})
	}
	if len(w.chunks) > 2*mostChunks || len(w.since(5000+3*mostChunks-10)) != 10 || w.since(9e9) != nil {
		t.Errorf("%d chunks", len(w.chunks))
	}
}
