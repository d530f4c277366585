package capture

// packetHead is what an enhanced packet block, or the older packet block, has
// before the frame, in bytes.
const packetHead = 20

// unknownDrops is the count of drops of a packet block that does not know it.
const unknownDrops = 0xffff

// packet reads an enhanced packet block (draft-ietf-opsawg-pcapng section 4.3):
//
//	| interface             | time, high half       |
//	| time, low half        | captured length       |
//	| length on the wire    | captured bytes, filled up to a multiple of 4, options
//
// The older packet block (draft-ietf-opsawg-pcapng appendix A) has the
// interface in 16 bits and a count of drops in the other 16. A packet of an
// unknown interface is not given.
func (p *pcapng) packet(r *File, f *Frame, b block) (given bool, err error) {
	body := b.body
	if len(body) < packetHead {
		return false, b.short(r, "a packet")
	}
	id := p.order.u32(body)
	if b.kind == blockPacket {
		id = uint32(p.order.u16(body))
	}
	in := p.interfaceOf(b.start, id)
	if in == nil {
		return false, nil
	}
	captured := p.order.u32(body[12:])
	if room := b.length - packetHead; captured > uint32(room) {
		return false, r.bad(b.start+bodyOffset+12, "a captured length of %d bytes in a block with room for %d; "+
			"the file is damaged here, after %s", captured, room, r.wholeFrames())
	}
	end := min(packetHead+int(captured), len(body))
	f.Time = in.clock.nanoseconds(uint64(p.order.u32(body[4:]))<<32 | uint64(p.order.u32(body[8:])))
	f.Link = in.link
	f.Data = body[packetHead:end:end]
	f.Length = wireLength(p.order.u32(body[16:]), captured)
	f.Offset = b.start
	f.Section, f.Interface = p.section, uint16(id)
	f.Extra = nil
	var extra Extra
	if padded := (end + 3) &^ 3; padded < len(body) {
		extra = p.extra(body[padded:])
	}
	if b.kind == blockPacket {
		drops := p.order.u16(body[2:])
		extra.Dropped = drops > 0 && drops != unknownDrops
	}
	if extra.Dropped || extra.Comments != nil {
		kept := extra // few frames have any
		f.Extra = &kept
	}
	return true, nil
}

// simplePacket reads a simple packet block (draft-ietf-opsawg-pcapng section
// 4.4). It belongs to the section's first interface, whose snap length says
// how much of it was captured, and it has no time:
//
//	| length on the wire    | captured bytes, filled up to a multiple of 4
func (p *pcapng) simplePacket(r *File, f *Frame, b block) (given bool, err error) {
	if len(b.body) < 4 {
		return false, b.short(r, "a simple packet")
	}
	in := p.interfaceOf(b.start, 0)
	if in == nil {
		return false, nil
	}
	length := p.order.u32(b.body)
	captured := length
	if in.snaplen != 0 {
		captured = min(captured, in.snaplen)
	}
	if room := b.length - 4; captured > uint32(room) {
		return false, r.bad(b.start+bodyOffset, "a simple packet of %d bytes in a block with room for %d; "+
			"the file is damaged here, after %s", captured, room, r.wholeFrames())
	}
	end := min(4+int(captured), len(b.body))
	f.Time = 0
	f.Link = in.link
	f.Data = b.body[4:end:end]
	f.Length = wireLength(length, captured)
	f.Offset = b.start
	f.Section, f.Interface = p.section, 0
	f.Extra = nil
	return true, nil
}

// interfaceOf is the interface of that number in this section; nil, and noted
// with the start of the block that names it, if the section has not described it,
// so that nobody knows what the frame is.
func (p *pcapng) interfaceOf(start int64, id uint32) *pcapngInterface {
	if uint64(id) >= uint64(len(p.interfaces)) {
		p.stray.addStray(start, id, len(p.interfaces))
		return nil
	}
	return &p.interfaces[id]
}

// maxComments is how many comments of one frame are kept, a bound on memory.
const maxComments = 256

// extra picks what is kept of a frame's options: comments, and whether others were dropped
// before it. Options are not what a capture is read for: where they are broken, the frame
// is still good, and the list ends there.
func (p *pcapng) extra(options []byte) (e Extra) {
	for {
		code, value, rest, ok := p.option(options)
		if !ok || code == optEnd {
			return e
		}
		switch {
		case code == optComment && len(e.Comments) < maxComments:
			e.Comments = append(e.Comments, string(value))
			e.Dropped = e.Dropped || string(value) == DropComment
			e.leftOut(e.Comments[len(e.Comments)-1])
		case code == epbDropcount && len(value) == 8:
			e.Dropped = e.Dropped || p.order.u64(value) > 0
		}
		options = rest
	}
}
