package xdr

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/field"
)

// A Cursor reads XDR items one after the other. It is a value: a copy reads on
// from the same byte on its own, which is how to look ahead. The zero Cursor
// reads nothing.
type Cursor struct {
	// Short is the reason of the fault when the bytes end within an item.
	// A decoder sets it anew when it enters another part of the message.
	Short string

	// rest is what is not yet read of size bytes. To cut rest from its front
	// costs the compiler less than to keep an offset: so Uint32 is inlined.
	rest  []byte
	size  int
	cut   bool
	fault field.Fault
}

// NewCursor returns a cursor at the first byte of b. Short is the reason
// of the fault when b ends within an item.
func NewCursor(b []byte, short string) Cursor { return Cursor{Short: short, rest: b, size: len(b)} }

// Offset is the byte, counted from the first, at which the next item begins.
// After a fault it is where reading ended: before an item that is cut short,
// after a word that is wrong.
func (c *Cursor) Offset() int { return c.size - len(c.rest) }

// Remaining is the number of bytes not yet read, 0 after a fault.
func (c *Cursor) Remaining() int { return len(c.rest) }

// Bad reports whether there was a fault.
func (c *Cursor) Bad() bool { return c.fault.Bad() }

// Fault is the first thing wrong, the zero Fault if nothing is. Where bytes
// are missing its offset is that of the first missing one; where a length or
// count is wrong, that of its word.
func (c *Cursor) Fault() field.Fault { return c.fault }

// Cut reports whether the fault is only that the bytes end too early: with
// more of them the same message might decode. A capture with a short snap
// length makes such faults.
func (c *Cursor) Cut() bool { return c.cut }

// Fail marks byte at as wrong, unless there is a fault already, and ends the
// reading. Reason is a constant, as in field.Fault.
func (c *Cursor) Fail(at int, reason string) { c.fail(at, reason, false) }

// Overrun is Fail for a length or count that promises more bytes than there
// are; Cut reports it from other faults.
func (c *Cursor) Overrun(at int, reason string) { c.fail(at, reason, true) }

// fail is the one place that sets a fault. Reads then find no bytes left and
// come back here, where the first fault stays.
func (c *Cursor) fail(at int, reason string, cut bool) {
	if c.fault.Bad() {
		return
	}
	if reason == "" {
		reason = "XDR item cut short"
	}
	c.fault = field.Fault{Offset: at, Reason: reason}
	c.cut = cut
	c.size, c.rest = c.Offset(), nil
}

// short marks the end of the bytes as the fault. It is kept out of line, so
// that the reads of words fit what the compiler inlines.
//
//go:noinline
func (c *Cursor) short() { c.fail(c.size, c.Short, true) }

// Uint32 reads a word of 4 bytes: unsigned int, int or enum.
func (c *Cursor) Uint32() (v uint32) {
	if len(c.rest) < 4 {
		c.short()
		return
	}
	v = binary.BigEndian.Uint32(c.rest)
	c.rest = c.rest[4:]
	return
}

// Uint64 reads an unsigned hyper or hyper, 8 bytes.
func (c *Cursor) Uint64() (v uint64) {
	if len(c.rest) < 8 {
		c.short()
		return
	}
	v = binary.BigEndian.Uint64(c.rest)
	c.rest = c.rest[8:]
	return
}

// Bool reads a Boolean or the word before an optional item, 4 bytes; a word
// that is neither 0 nor 1 is a fault at its first byte.
func (c *Cursor) Bool() bool {
	at := c.Offset()
	v := c.Uint32()
	if v > 1 {
		c.Fail(at, "Boolean is neither 0 nor 1")
	}
	return v == 1
}

// Skip passes over n bytes as they are, without padding; n is not negative.
func (c *Cursor) Skip(n int) {
	if uint(n) > uint(len(c.rest)) {
		c.short()
		return
	}
	c.rest = c.rest[n:]
}

// Fixed reads opaque data of a length known beforehand, n bytes and its
// padding. The result lies in the bytes of the cursor; it is nil after a
// fault. What the pad bytes hold is not looked at: RFC 4506, section 3,
// asks senders for zeros and has no use for them.
func (c *Cursor) Fixed(n int) []byte {
	// Compare before rounding up: n+3 may not fit an int.
	if uint(n) > uint(len(c.rest)) || (n+3)&^3 > len(c.rest) {
		c.short()
		return nil
	}
	data := c.rest[:n:n]
	c.rest = c.rest[(n+3)&^3:]
	return data
}

// Opaque reads opaque data or a string of variable length: a length word, that
// many bytes and their padding. A length of more than limit bytes, or of more
// than there are, is a fault at the length word. The result lies in the bytes
// of the cursor; it is nil after a fault.
func (c *Cursor) Opaque(limit int) []byte {
	at := c.Offset()
	n := c.Uint32()
	if uint64(n) > uint64(max(limit, 0)) {
		c.Fail(at, "length is above its limit")
		return nil
	}
	padded := (uint64(n) + 3) &^ 3
	switch {
	case padded <= uint64(len(c.rest)):
	case uint64(n) > uint64(len(c.rest)):
		c.Overrun(at, "length runs past the message")
		return nil
	default:
		c.short()
		return nil
	}
	data := c.rest[:n:n]
	c.rest = c.rest[padded:]
	return data
}

// Count reads the count of an array of which every element takes at least
// each bytes (1 or more). A count above limit, or one for which the bytes
// cannot suffice, is a fault at its word, so that the result bounds a loop.
func (c *Cursor) Count(limit, each int) int {
	at := c.Offset()
	n := c.Uint32()
	if uint64(n) > uint64(max(limit, 0)) {
		c.Fail(at, "count is above its limit")
		return 0
	}
	if uint64(n) > uint64(len(c.rest)/max(each, 1)) {
		c.Overrun(at, "count runs past the message")
		return 0
	}
	return int(n)
}
