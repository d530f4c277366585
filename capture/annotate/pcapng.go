package annotate

import (
	"errors"
	"io"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/pcapng"
)

// pcapng copies a pcapng file.
func (c *copier) pcapng() error {
	var f capture.Frame
	for {
		if err := c.frames.Next(&f); err == io.EOF {
			return c.rest()
		} else if err != nil {
			c.result.Fault = err
			return c.rest()
		}
		for c.in.at < f.Offset {
			h, err := c.header()
			if err == nil {
				err = c.whole(h)
			}
			if err != nil {
				return err
			}
		}
		h, err := c.header()
		if err != nil {
			return err
		}
		if c.in.at != f.Offset || !h.packet() {
			return errChanged
		}
		if comments := c.comments.Frames[f.Number]; len(comments) > 0 {
			err = c.commented(h, &f, comments)
		} else {
			err = c.whole(h)
		}
		if err != nil {
			return err
		}
		c.result.Frames++
	}
}

// A header is what all blocks begin with.
type header struct {
	kind uint32
	size int // of the whole block, in bytes
}

// packet reports whether the block is of a type that holds a frame.
func (h header) packet() bool {
	return h.kind == pcapng.EnhancedPacket || h.kind == pcapng.SimplePacket || h.kind == pcapng.OldPacket
}

// header looks at the next block. That of a section sets the byte order. Package
// capture has looked at the block before and found nothing wrong, except after
// the last frame.
func (c *copier) header() (h header, err error) {
	b, err := c.in.peek(minBlock)
	if err != nil {
		return h, err
	}
	if string(b[:4]) == sectionMagic {
		o, ok := orderOf(b[bodyOffset:])
		if !ok {
			return h, errChanged
		}
		c.order = o
	}
	h.kind = c.order.Uint32(b)
	size := c.order.Uint32(b[4:])
	if size < minBlock || size%4 != 0 || size > maxBlock {
		return h, errChanged
	}
	h.size = int(size)
	return h, nil
}

// inMemory is how long a block may be, in bytes, to be read before any of it is
// written, so that nothing is written of a block that cannot be read to its end. What
// is longer gets no comments: no link carries such a frame. It is less than package
// capture holds of a record.
const inMemory = 512 << 10

// tooLong is why a longer one gets no comments.
const tooLong = "its block is longer than 512 KiB"

// whole copies a block as it is, but for the header of a section.
func (c *copier) whole(h header) error {
	switch {
	case h.kind == pcapng.Section:
		return c.section(h)
	case h.size > inMemory:
		return c.in.copy(c.w, h.size)
	}
	b, err := c.in.read(h.size)
	if err != nil {
		return err
	}
	_, err = c.w.Write(b)
	return err
}

// sectionHead is the length in bytes of a section header without its options and
// its last length:
//
//	| type 4 | length 4 | byte-order magic 4 | major 2 | minor 2 | section length 8 |
const sectionHead = 24

// section copies the header of a section (draft-ietf-opsawg-pcapng section 4.1).
func (c *copier) section(h header) error {
	first := c.in.at == 0
	if h.size > inMemory {
		return c.longSection(h, first)
	}
	b, err := c.in.read(h.size)
	if err != nil {
		return err
	}
	if len(b) < sectionHead+4 {
		return errChanged
	}
	options := b[sectionHead : len(b)-4]
	out := append(c.block[:0], b[:sectionHead]...)
	c.order.PutUint64(out[sectionHead-8:], pcapng.AnyLength)
	var comments []string
	if first {
		comments = c.comments.File
	}
	return c.endFile(c.comment(out, options, comments, 0))
}

// longSection copies the header of a section piece by piece.
func (c *copier) longSection(h header, first bool) error {
	b, err := c.in.read(sectionHead)
	if err != nil {
		return err
	}
	c.order.PutUint64(b[sectionHead-8:], pcapng.AnyLength)
	if _, err := c.w.Write(b); err != nil {
		return err
	}
	if first && len(c.comments.File) > 0 {
		c.unplaced(0, tooLong)
	}
	return c.in.copy(c.w, h.size-sectionHead)
}

// rest copies what follows the last frame, up to the block that is at fault if one
// is.
func (c *copier) rest() error {
	for {
		if b, _ := c.in.peek(minBlock); len(b) < minBlock {
			c.in.err = nil // the end, or what Fault tells
			return nil
		}
		h, err := c.header()
		if err != nil || faulty(c.result.Fault, c.in.at, h) {
			return nil
		}
		if err := c.whole(h); err != nil {
			return err
		}
	}
}

// faulty reports whether a block, which begins at an offset, is where reading ended
// by an error of package capture.
func faulty(fault error, at int64, h header) bool {
	if joined, ok := fault.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			if faulty(err, at, h) {
				return true
			}
		}
		return false
	}
	var e *capture.Error
	if !errors.As(fault, &e) || e.Offset < at || e.Offset >= at+int64(h.size) {
		return false
	}
	// A packet of an interface that nobody described ends nothing: it is passed
	// over, and told at the end with the offset of its block.
	passed := e.Offset == at && h.packet() && !errors.Is(e, io.ErrUnexpectedEOF)
	return !passed
}
