package capture

import (
	"math"

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
	// minBlock is the length in octets of a block without a body.
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
}

// A pcapngInterface is what an interface description block says.
type pcapngInterface struct {
	link    link.Type
	snaplen uint32 // 0: no limit
	clock   clock
}

// newPcapng reads the first section's header.
func newPcapng(r *File) (format, error) {
	p := &pcapng{section: math.MaxUint32}
	b, err := p.block(r)
	if err != nil {
		return nil, err
	}
	return p, p.startSection(r, b)
}

// A block is one whole block, or only its kind where it is passed over.
type block struct {
	kind  uint32
	start int64 // offset in the file of its first octet
	body  []byte
}

// bodyOffset is where a block's body begins, in octets from the block's start.
const bodyOffset = 8

// next passes over blocks until one holds a frame.
func (p *pcapng) next(r *File, f *Frame) error {
	if err := p.nextFrame(r, f); err != nil {
		return p.stray.told(r, err)
	}
	// A block that is no packet counts as one: that a reader waits behind it now
	// and then is no harm.
	rest := r.win.buf[r.win.start:r.win.end]
	r.ready = len(rest) >= minBlock && len(rest) >= int(p.order.u32(rest[4:]))
	return nil
}

func (p *pcapng) nextFrame(r *File, f *Frame) error {
	for {
		b, err := p.block(r)
		if err != nil {
			return err
		}
		given := false
		switch b.kind {
		case blockEnhancedPacket, blockPacket:
			given, err = p.packet(r, f, b)
		case blockSimplePacket:
			given, err = p.simplePacket(r, f, b)
		case blockInterface:
			err = p.addInterface(r, b)
		case blockSection:
			err = p.startSection(r, b)
		}
		if given || err != nil {
			return err
		}
	}
}

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
		return b, r.bad(b.start+4, "a block length of %d octets cannot be: it must be a multiple of 4 "+
			"from %d to %d; the file is damaged here, after %s", total, minBlock, maxRecord, r.wholeFrames())
	}
	size := int(total)
	var trailer []byte
	switch b.kind {
	case blockSection, blockInterface, blockPacket, blockSimplePacket, blockEnhancedPacket:
		octets := w.peek(size)
		if len(octets) < size {
			return b, r.stopped(b.start)
		}
		w.take(size)
		b.body, trailer = octets[bodyOffset:size-4], octets[size-4:]
	default:
		if !w.skip(size - 4) {
			return b, r.stopped(b.start)
		}
		if trailer = w.peek(4); len(trailer) < 4 {
			return b, r.stopped(b.start)
		}
		w.take(4)
	}
	if again := p.order.u32(trailer); again != total {
		return b, r.bad(b.start+int64(size)-4, "the block begins with a length of %d octets and ends with %d; "+
			"the file is damaged here, after %s", total, again, r.wholeFrames())
	}
	return b, nil
}

// setOrder takes the byte order of a section from its byte-order magic.
func (p *pcapng) setOrder(r *File, offset int64, magic []byte) error {
	for _, o := range []order{littleEndian, bigEndian} {
		if o.u32(magic) == byteOrderMagic {
			p.order = o
			return nil
		}
	}
	return r.bad(offset, "a section must have the byte-order magic 1a2b3c4d, in either order; this one has % x", magic[:4])
}

// startSection reads a section header block (draft-ietf-opsawg-pcapng section
// 4.1). The section length in it is not needed.
func (p *pcapng) startSection(r *File, b block) error {
	if len(b.body) < 16 {
		return b.short(r, "a section header")
	}
	// 1.2 was written by mistake for what is 1.0.
	if major, minor := p.order.u16(b.body[4:]), p.order.u16(b.body[6:]); major != 1 || minor != 0 && minor != 2 {
		return r.bad(b.start+bodyOffset+4, "pcapng version %d.%d is not supported (1.0 is)", major, minor)
	}
	p.section++
	p.interfaces = p.interfaces[:0]
	return nil
}

// short is the error for a block that is too short for what its type must hold.
func (b *block) short(r *File, what string) error {
	return r.bad(b.start+4, "%s block of %d octets is too short", what, len(b.body)+minBlock)
}
