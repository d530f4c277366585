package capture

import (
	"bytes"

	"github.com/rdmacap/rdmacap/capture/link"
)

// Block types, draft-ietf-opsawg-pcapng sections 4.1 to 4.4; that of
// blockPacket, which is no longer written, is in appendix A.
const (
	blockSection        = 0x0a0d0d0a // the same in both byte orders
	blockInterface      = 1
	blockPacket         = 2
	blockSimplePacket   = 3
	blockEnhancedPacket = 6
)

const (
	// sectionMagic is how a pcapng file begins: the type of its first block.
	sectionMagic = "\n\r\r\n"
	// byteOrderMagic follows the length of a section header.
	byteOrderMagic = 0x1a2b3c4d
	// minBlock is the length in bytes of a block without a body.
	minBlock = 12
	// maxInterfaces is how many interfaces a section may have. The format has
	// no limit, but our memory does.
	maxInterfaces = 1 << 16
)

// pcapng reads the blocks of a pcapng file.
type pcapng struct {
	order      order
	section    uint32 // one less than their count: 2^32-1 before the first
	interfaces []pcapngInterface
	stray      strays
	// onInterface receives each interface, nil if nobody asks.
	onInterface func(Interface)
}

// A pcapngInterface is what an interface description block says.
type pcapngInterface struct {
	link    link.Type
	snaplen uint32 // 0: no limit
	clock   clock
}

// A block is one whole block, or only its kind where it is passed over.
type block struct {
	kind  uint32
	start int64 // offset in the file of its first byte
	// body is what lies between the lengths: of a long block only what is held, and
	// length is how many bytes all of it has.
	body   []byte
	length int
}

// bodyOffset is where a block's body begins, in bytes from the block's start.
const bodyOffset = 8

// block takes the next block, and checks what all blocks have in common.
func (p *pcapng) block(r *File) (b block, err error) {
	w := &r.win
	b.start = w.offset()
	h := w.peek(minBlock)
	if len(h) < minBlock {
		return b, r.stopped(b.start)
	}
	b.kind = p.order.u32(h)
	if b.kind == blockSection {
		if err := p.setOrder(r, b.start+bodyOffset, h[bodyOffset:]); err != nil {
			return b, err
		}
	}
	total := p.order.u32(h[4:])
	if total < minBlock || total%4 != 0 || total > maxRecord {
		return b, r.bad(b.start+4, "a block length of %d bytes is not valid: it must be a multiple of 4 "+
			"from %d to %d; the file is damaged here, after %s", total, minBlock, maxRecord, r.wholeFrames())
	}
	size := int(total)
	var trailer []byte
	switch b.kind {
	case blockSection, blockInterface, blockPacket, blockSimplePacket, blockEnhancedPacket:
		held := min(size, maxHeld)
		data := w.peek(held)
		if len(data) < held {
			return b, r.stopped(b.start)
		}
		b.length = size - minBlock
		w.advance(held)
		if held == size {
			b.body, trailer = data[bodyOffset:size-4], data[size-4:]
			break
		}
		r.long, r.longAt = bytes.Clone(data), b.start // what follows takes its place
		b.body = r.long[bodyOffset:]
		if trailer = passTo(w, size-held); trailer == nil {
			return b, r.stopped(b.start)
		}
	default:
		if trailer = passTo(w, size); trailer == nil {
			return b, r.stopped(b.start)
		}
	}
	if again := p.order.u32(trailer); again != total {
		return b, r.bad(b.start+int64(size)-4, "the block starts with a length of %d bytes and ends with %d; "+
			"the file is damaged here, after %s", total, again, r.wholeFrames())
	}
	return b, nil
}

// passTo passes over what is left of a block, n bytes, and returns its last four, or
// nil where the stream ends before.
func passTo(w *window, n int) (trailer []byte) {
	if !w.skip(n - 4) {
		return nil
	}
	if trailer = w.peek(4); len(trailer) < 4 {
		return nil
	}
	w.advance(4)
	return trailer
}

// short is the error for a block that is too short for what its type must hold.
func (b *block) short(r *File, what string) error {
	return r.bad(b.start+4, "%s block of %d bytes is too short", what, len(b.body)+minBlock)
}

// setOrder takes the byte order of a section from its byte-order magic.
func (p *pcapng) setOrder(r *File, offset int64, magic []byte) error {
	for _, o := range []order{littleEndian, bigEndian} {
		if o.u32(magic) == byteOrderMagic {
			p.order = o
			return nil
		}
	}
	return r.bad(offset, "a section must have the byte-order magic 1a2b3c4d in either order; this one has % x", magic[:4])
}
