package xdr

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/field"
)

// Bytes of one item of each kind, and the same read back.
var items = []struct {
	name  string
	bytes string
	read  func(c *Cursor) any
	want  any
}{
	{"Uint32", "\x01\x02\x03\x04", func(c *Cursor) any { return c.Uint32() }, uint32(0x01020304)},
	{"Uint64", "\x01\x02\x03\x04\x05\x06\x07\x08", func(c *Cursor) any { return c.Uint64() }, uint64(0x0102030405060708)},
	{"Bool FALSE", "\x00\x00\x00\x00", func(c *Cursor) any { return c.Bool() }, false},
	{"Bool TRUE", "\x00\x00\x00\x01", func(c *Cursor) any { return c.Bool() }, true},
	{"Skip 5", "abcde", func(c *Cursor) any { c.Skip(5); return nil }, nil},
	{"Fixed 4", "abcd", func(c *Cursor) any { return string(c.Fixed(4)) }, "abcd"},
	{"Fixed 5, padded", "abcde\x00\x00\x00", func(c *Cursor) any { return string(c.Fixed(5)) }, "abcde"},
	{"Fixed 3, pad byte not zero", "abc\xff", func(c *Cursor) any { return string(c.Fixed(3)) }, "abc"},
	{"Opaque, empty", "\x00\x00\x00\x00", func(c *Cursor) any { return string(c.Opaque(0)) }, ""},
	{"Opaque, as long as its limit", "\x00\x00\x00\x02hi\x00\x00", func(c *Cursor) any { return string(c.Opaque(2)) }, "hi"},
	{"Opaque, pad bytes not zero", "\x00\x00\x00\x01h\x01\x02\x03", func(c *Cursor) any { return string(c.Opaque(9)) }, "h"},
	{"Count and elements", "\x00\x00\x00\x02\x00\x00\x00\x07\x00\x00\x00\x08", readArray, uint32(7 + 8)},
}

func readArray(c *Cursor) any {
	sum := uint32(0)
	for range c.Count(10, 4) {
		sum += c.Uint32()
	}
	return sum
}

func TestItems(t *testing.T) {
	for _, item := range items {
		t.Run(item.name, func(t *testing.T) {
			c := NewCursor([]byte(item.bytes), "test item cut short")
			if got := item.read(&c); got != item.want {
				t.Errorf("read %v, want %v", got, item.want)
			}
			if c.Bad() || c.Remaining() != 0 || c.Offset() != len(item.bytes) {
				t.Errorf("fault %q, %d bytes left at byte %d; want none at byte %d", c.Fault(), c.Remaining(), c.Offset(), len(item.bytes))
			}
		})
	}
}

// TestItemsCutShort cuts every item at every byte, after a first word that
// is whole.
func TestItemsCutShort(t *testing.T) {
	for _, item := range items {
		for n := range len(item.bytes) {
			c := NewCursor([]byte("word"+item.bytes[:n]), "test item cut short")
			c.Skip(4)
			item.read(&c)
			if !c.Bad() || !c.Cut() {
				t.Errorf("%s cut at byte %d: fault %q, Cut = %v; want a fault of missing bytes", item.name, n, c.Fault(), c.Cut())
			}
			// A length or count that the bytes cannot satisfy is named
			// at its own word; else the first byte missing is named.
			if at := c.Fault().Offset; at != 4 && at != 4+n {
				t.Errorf("%s cut at byte %d: fault at byte %d, want 4 or %d", item.name, n, at, 4+n)
			}
			if c.Remaining() != 0 {
				t.Errorf("%s cut at byte %d: %d bytes left after the fault", item.name, n, c.Remaining())
			}
		}
	}
}

func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name string
		data string
		read func(c *Cursor)
		want field.Fault
		cut  bool
	}{
		{"word", "abc", func(c *Cursor) { c.Uint32() }, field.Fault{Offset: 3, Reason: "item cut short"}, true},
		{"hyper", "abcdefg", func(c *Cursor) { c.Uint64() }, field.Fault{Offset: 7, Reason: "item cut short"}, true},
		{"Boolean of 2", "\x00\x00\x00\x02", func(c *Cursor) { c.Bool() }, field.Fault{Reason: "Boolean is neither 0 nor 1"}, false},
		{"pad missing", "\x00\x00\x00\x01abc", func(c *Cursor) { c.Opaque(9) }, field.Fault{Offset: 7, Reason: "item cut short"}, true},
		{"length above its limit", "\x00\x00\x00\x03abc\x00", func(c *Cursor) { c.Opaque(2) }, field.Fault{Reason: "length is above its limit"}, false},
		{"limit below zero", "\x00\x00\x00\x01abc\x00", func(c *Cursor) { c.Opaque(-1) }, field.Fault{Reason: "length is above its limit"}, false},
		{"length of 2^32-1", "\xff\xff\xff\xffabcd", func(c *Cursor) { c.Opaque(math.MaxUint32) }, field.Fault{Reason: "length runs past the message"}, true},
		{"count above its limit", "\x00\x00\x00\x03abcd", func(c *Cursor) { c.Count(2, 1) }, field.Fault{Reason: "count is above its limit"}, false},
		{"count of 2^32-1", "\xff\xff\xff\xffabcd", func(c *Cursor) { c.Count(math.MaxUint32, 16) }, field.Fault{Reason: "count runs past the message"}, true},
		{"elements of no size", "\x00\x00\x00\x05abcd", func(c *Cursor) { c.Count(9, 0) }, field.Fault{Reason: "count runs past the message"}, true},
		{"Skip below zero", "abcd", func(c *Cursor) { c.Skip(-1) }, field.Fault{Offset: 4, Reason: "item cut short"}, true},
		{"Skip too far", "abcd", func(c *Cursor) { c.Skip(math.MaxInt) }, field.Fault{Offset: 4, Reason: "item cut short"}, true},
		{"Fixed below zero", "abcd", func(c *Cursor) { c.Fixed(-1) }, field.Fault{Offset: 4, Reason: "item cut short"}, true},
		{"Fixed too far", "abcd", func(c *Cursor) { c.Fixed(math.MaxInt) }, field.Fault{Offset: 4, Reason: "item cut short"}, true},
		{"Fail", "abcd", func(c *Cursor) { c.Fail(1, "bad") }, field.Fault{Offset: 1, Reason: "bad"}, false},
		{"Overrun", "abcd", func(c *Cursor) { c.Overrun(1, "far") }, field.Fault{Offset: 1, Reason: "far"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := NewCursor([]byte(tt.data), "item cut short")
			tt.read(&c)
			if c.Fault() != tt.want || c.Cut() != tt.cut {
				t.Errorf("fault %q, Cut = %v; want %q, %v", c.Fault(), c.Cut(), tt.want, tt.cut)
			}
			// The first fault sticks, whatever is read after it.
			before := c.Offset()
			if c.Uint32() != 0 || c.Uint64() != 0 || c.Bool() || c.Opaque(9) != nil || c.Fixed(1) != nil || c.Count(9, 1) != 0 {
				t.Error("a read after the fault gave a value")
			}
			c.Fail(0, "second")
			if c.Fault() != tt.want || c.Remaining() != 0 || c.Offset() != before {
				t.Errorf("after more reads: fault %q, %d bytes left at byte %d; want %q, none at byte %d", c.Fault(), c.Remaining(), c.Offset(), tt.want, before)
			}
		})
	}
}

func TestZeroCursorReadsNothing(t *testing.T) {
	var c Cursor
	if got := c.Uint32(); got != 0 || c.Fault() != (field.Fault{Reason: "XDR item cut short"}) {
		t.Errorf("read %d with fault %q", got, c.Fault())
	}
}

func TestResultLiesInTheBytesAndCannotGrowIntoThem(t *testing.T) {
	b := []byte("\x00\x00\x00\x02hi\x00\x00next")
	c := NewCursor(b, "")
	data := c.Opaque(8)
	if &data[0] != &b[4] {
		t.Error("Opaque copied its bytes")
	}
	_ = append(data, "XXXX"...)
	if !bytes.HasSuffix(b, []byte("hi\x00\x00next")) {
		t.Errorf("append to the result overwrote the message: %q", b)
	}
}

// TestAgainstEncoder reads back random items that the test itself encoded.
func TestAgainstEncoder(t *testing.T) {
	for seed := range uint64(500) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		var b []byte
		var checks []func(c *Cursor) bool
		for range 20 {
			switch v := rnd.Uint64(); rnd.IntN(4) {
			case 0:
				b = binary.BigEndian.AppendUint32(b, uint32(v))
				checks = append(checks, func(c *Cursor) bool { return c.Uint32() == uint32(v) })
			case 1:
				b = binary.BigEndian.AppendUint64(b, v)
				checks = append(checks, func(c *Cursor) bool { return c.Uint64() == v })
			case 2:
				b = append(b, 0, 0, 0, byte(v&1))
				checks = append(checks, func(c *Cursor) bool { return c.Bool() == (v&1 == 1) })
			case 3:
				data := bytes.Repeat([]byte{byte(v)}, rnd.IntN(9))
				b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
				b = append(b, data...)
				for len(b)%4 != 0 {
					b = append(b, 0)
				}
				checks = append(checks, func(c *Cursor) bool { return bytes.Equal(c.Opaque(8), data) })
			}
		}
		c := NewCursor(b, "cut short")
		for i, check := range checks {
			if !check(&c) || c.Bad() {
				t.Fatalf("seed %d: item %d differs, fault %q: % x", seed, i, c.Fault(), b)
			}
		}
		if c.Remaining() != 0 {
			t.Fatalf("seed %d: %d bytes left", seed, c.Remaining())
		}
	}
}

func TestReadsAllocateNothing(t *testing.T) {
	data := []byte("\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x03abc\x00\x00\x00\x00\x02")
	if n := testing.AllocsPerRun(100, func() {
		c := NewCursor(data, "cut short")
		c.Bool()
		c.Uint64()
		c.Opaque(8)
		c.Count(8, 4) // promises more than there is
		c.Uint32()
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkUint32(b *testing.B) {
	data := make([]byte, 1024)
	b.SetBytes(int64(len(data)))
	sum := uint32(0)
	for b.Loop() {
		c := NewCursor(data, "cut short")
		for c.Remaining() > 0 {
			sum += c.Uint32()
		}
	}
	if sum != 0 {
		b.Fatal("zeros did not sum to zero")
	}
}
