package export

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// bytes writes out what the extents say of each of the first n bytes.
func (e *extents) bytes(t *testing.T, n int) []byte {
	t.Helper()
	b := make([]byte, 0, n)
	last := extent{}
	pieces := 0
	_ = e.each(uint64(n), func(x extent) error { // f returns no error
		if x.start != uint64(len(b)) || x.start >= x.end || last.end > 0 && last.kind == x.kind {
			t.Fatalf("%v follows %v", x, last)
		}
		if x.kind != missing {
			pieces++
		}
		b = append(b, bytes.Repeat([]byte{byte(x.kind)}, int(x.end-x.start))...)
		last = x
		return nil
	})
	if pieces != e.pieces {
		t.Fatalf("%d ranges, counted %d", pieces, e.pieces)
	}
	for _, block := range e.blocks {
		if len(block) == 0 || len(block) > maxBlock {
			t.Fatalf("a block of %d ranges", len(block))
		}
	}
	return b
}

// TestPaint holds the extents against an array with one entry a byte: ranges
// of any kind in any order, many and few, and what is lost of the data.
func TestPaint(t *testing.T) {
	for _, c := range []struct{ size, longest, times int }{
		{40, 40, 2000}, {40, 4, 2000}, {6000, 3, 6000}, {6000, 4000, 50}, {3000, 1, 9000},
	} {
		random := rand.New(rand.NewPCG(uint64(c.size), uint64(c.longest)))
		var e extents
		model := make([]byte, c.size)
		for i := range c.times {
			start := random.IntN(c.size)
			end := min(c.size, start+random.IntN(c.longest+1))
			k := kind(1 + random.IntN(3))
			gone := make([]byte, c.size)
			e.paint(uint64(start), uint64(end), k, func(from, to uint64) {
				for at := from; at < to; at++ {
					gone[at]++
				}
			})
			for at := range model {
				within := at >= start && at < end
				want := byte(0)
				if within && model[at] == byte(data) && k != data {
					want = 1
				}
				if gone[at] != want {
					t.Fatalf("painting [%d, %d) with %d: byte %d is lost %d times, want %d", start, end, k, at, gone[at], want)
				}
				if within {
					model[at] = byte(k)
				}
			}
			if i%97 == 0 || i == c.times-1 {
				if got := e.bytes(t, c.size); !bytes.Equal(got, model) {
					t.Fatalf("after %d ranges the bytes are\n%v\nwant\n%v", i+1, got, model)
				}
			}
		}
	}
}

// TestPaintManyPieces holds that data in any order, a page at a time with a gap
// after each, are entered in a time that many pages can take.
func TestPaintManyPieces(t *testing.T) {
	const pages = 1 << 16
	var e extents
	for _, page := range rand.New(rand.NewPCG(1, 2)).Perm(pages) {
		at := uint64(page) * 8192
		e.paint(at, at+4096, data, nil)
	}
	if e.pieces != pages {
		t.Errorf("%d ranges, want %d", e.pieces, pages)
	}
}
