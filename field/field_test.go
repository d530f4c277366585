package field

import (
	"math/rand/v2"
	"testing"
)

// TestUintBitByBit holds Uint against the definition: the field's bits, most
// significant first, one after the other.
func TestUintBitByBit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	header := make([]byte, 12)
	for width := 1; width <= 64; width++ {
		for range 50 {
			for i := range header {
				header[i] = byte(random.Uint32())
			}
			f := Field{Bit: random.IntN(8*len(header) - width + 1), Width: width}
			var want uint64
			for bit := f.Bit; bit < f.Bit+f.Width; bit++ {
				want = want<<1 | uint64(header[bit/8]>>(7-bit%8)&1)
			}
			if got := f.Uint(header[:f.End()]); got != want {
				t.Fatalf("bit %d, width %d of %x: %#x, want %#x", f.Bit, width, header, got, want)
			}
		}
	}
}

func TestBounds(t *testing.T) {
	for _, c := range []struct{ bit, width, start, end int }{
		{0, 1, 0, 1},
		{7, 1, 0, 1},
		{7, 2, 0, 2},
		{8, 24, 1, 4},
		{68, 4, 8, 9},
		{64, 128, 8, 24},
	} {
		f := Field{Bit: c.bit, Width: c.width}
		if f.Start() != c.start || f.End() != c.end {
			t.Errorf("bit %d, width %d is bytes %d to %d, want %d to %d", c.bit, c.width, f.Start(), f.End(), c.start, c.end)
		}
	}
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		fields []Field
		want   int
	}{
		{nil, 0},
		{[]Field{{Bit: 0, Width: 1}}, 1},
		{[]Field{{Bit: 0, Width: 8}, {Bit: 8, Width: 1}}, 2},
		{[]Field{{Bit: 32, Width: 32}, {Bit: 0, Width: 32}}, 8},
	} {
		if got := (&Table{Fields: c.fields}).Size(); got != c.want {
			t.Errorf("%+v: %d bytes, want %d", c.fields, got, c.want)
		}
	}
}

func TestLookup(t *testing.T) {
	table := Table{Key: "x", Fields: []Field{{Key: "a", Bit: 0}, {Key: "b", Bit: 8}}}
	if f := table.Lookup("b"); f != &table.Fields[1] {
		t.Errorf("b is %+v", f)
	}
	for _, key := range []string{"", "c", "x.a", "A"} {
		if f := table.Lookup(key); f != nil {
			t.Errorf("%q is %+v", key, f)
		}
	}
}

func TestFault(t *testing.T) {
	if f := (Fault{Offset: 7}); f.Bad() || f.String() != "" {
		t.Errorf("without a reason: bad %v, %q", f.Bad(), f)
	}
	f := Fault{Offset: 7, Reason: "BTH cut short"}
	if !f.Bad() || f.String() != "BTH cut short at byte 7" {
		t.Errorf("bad %v, %q", f.Bad(), f)
	}
}
