package annotate

import (
	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/pcapng"
)

// packetHead is the length in bytes of an Enhanced Packet Block, or the older
// Packet Block, before the frame:
//
//	| type      | length    | interface | time, high | time, low | captured | on the wire |
//
// The Packet Block has the interface in 16 bits and a count of drops in the other
// 16 (draft-ietf-opsawg-pcapng section 4.3 and appendix A).
const packetHead = 28

// commented copies the block of a frame with its comments.
func (c *copier) commented(h header, f *capture.Frame, comments []string) error {
	if h.size > inMemory {
		c.unplaced(f.Number, tooLong)
		return c.whole(h)
	}
	b, err := c.in.read(h.size)
	if err != nil {
		return err
	}
	if h.kind == pcapng.SimplePacket {
		c.unplaced(f.Number, "a simple packet block has no comment option and no timestamp, which every other block has")
		_, err := c.w.Write(b)
		return err
	}
	options := packetHead + (len(f.Data)+3)&^3
	if options > len(b)-4 {
		return errChanged
	}
	list := b[options : len(b)-4]
	out := append(c.block[:0], b[:options]...)
	if h.kind == pcapng.OldPacket {
		if !c.sameInEnhanced(list) {
			c.unplaced(f.Number, "its packet block has options that no enhanced packet block has")
			_, err := c.w.Write(b)
			return err
		}
		list = c.enhance(out, list)
	}
	return c.endFile(c.comment(out, list, comments, f.Number))
}

// Custom options, draft-ietf-opsawg-pcapng section 3.5.1, mean the same in every
// block: with text, with bytes, and both of them not to be copied.
const (
	customText     = 2988
	customBytes    = 2989
	customOwnText  = 19372
	customOwnBytes = 19373
)

// sameInEnhanced reports whether the options of a Packet Block mean the same in an
// Enhanced Packet Block: pack_flags is epb_flags, and pack_hash is epb_hash. Of
// others, and of a list that is broken, nobody knows.
func (c *copier) sameInEnhanced(list []byte) bool {
	for len(list) > 0 {
		code, size, ok := option(c.order, list)
		if !ok {
			return false
		}
		switch code {
		case pcapng.EndOfOptions:
			return true
		case pcapng.Comment, packFlags, packHash, customText, customBytes, customOwnText, customOwnBytes:
		default:
			return false
		}
		list = list[size:]
	}
	return true
}

// Options of a Packet Block, draft-ietf-opsawg-pcapng appendix A.
const (
	packFlags = 2
	packHash  = 3
)

// unknownDrops is the count of drops of a Packet Block that does not know it.
const unknownDrops = 0xffff

// enhance makes the head of a Packet Block that of an Enhanced one, and returns its
// options with the count of drops among them.
func (c *copier) enhance(b, list []byte) []byte {
	id, drops := c.order.Uint16(b[bodyOffset:]), c.order.Uint16(b[bodyOffset+2:])
	c.order.PutUint32(b, pcapng.EnhancedPacket)
	c.order.PutUint32(b[bodyOffset:], uint32(id))
	if drops == unknownDrops {
		return list
	}
	return append(pcapng.AppendCount(nil, c.order, pcapng.DropCount, uint64(drops)), list...)
}
