package capture

import "math"

// newPcapng reads the first section's header.
func newPcapng(r *File) (format, error) {
	p := &pcapng{section: math.MaxUint32}
	b, err := p.block(r)
	if err != nil {
		return nil, err
	}
	return p, p.startSection(r, b)
}

// next passes over blocks until one holds a frame.
func (p *pcapng) next(r *File, f *Frame) error {
	if err := p.nextFrame(r, f); err != nil {
		return p.stray.endError(r, err)
	}
	// A block that is no packet counts as one: that a reader waits after it now
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
