package annotate

import (
	"encoding/binary"
	"errors"
)

// Block types, draft-ietf-opsawg-pcapng sections 4.1 to 4.4; that of blockPacket is
// in appendix A.
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
	// anyLength is the section length, -1, of a section that states none.
	anyLength = 1<<64 - 1
	// minBlock is the length in octets of a block without a body, which begins
	// after bodyOffset.
	minBlock   = 12
	bodyOffset = 8
)

// errChanged says that the two readers of the file saw different files.
var errChanged = errors.New("the capture changed while it was copied")

// begin starts a block. What is appended to it is its body.
//
//	| type      | length    | body, a multiple of 4 octets | length
func (c *copier) begin(kind uint32) []byte {
	b := c.order.AppendUint32(c.block[:0], kind)
	return c.order.AppendUint32(b, 0)
}

// end sets the length of a block and writes it.
func (c *copier) end(b []byte) error {
	total := uint32(len(b) + 4)
	c.order.PutUint32(b[4:], total)
	b = c.order.AppendUint32(b, total)
	c.block = b
	_, err := c.w.Write(b)
	return err
}

// comment appends the options of a block to it, with comments if there are any. If
// they are too long, they are left out. Frame is whose comments they are.
func (c *copier) comment(b, options []byte, comments []string, frame int64) []byte {
	if len(comments) == 0 {
		return append(b, options...)
	}
	plain := len(b) + len(options) + 4
	with := appendOptions(b, c.order, options, comments)
	if len(with)+4 > max(maxCommented, plain) {
		c.unplaced(frame, "its comments are too long for a block")
		return append(b, options...)
	}
	if frame > 0 {
		c.result.Placed++
	}
	return with
}

// maxCommented is how long comments may make a block, in octets: Wireshark takes no
// longer ones.
const maxCommented = 16 << 20

// orderOf is the byte order of a section, by its byte-order magic.
func orderOf(magic []byte) (order, bool) {
	for _, o := range []order{binary.LittleEndian, binary.BigEndian} {
		if o.Uint32(magic) == byteOrderMagic {
			return o, true
		}
	}
	return nil, false
}
