package annotate

import (
	"encoding/binary"
	"errors"

	"github.com/rdmacap/rdmacap/capture/pcapng"
)

const (
	// sectionMagic is how a pcapng file begins: the type of its first block.
	sectionMagic = "\n\r\r\n"
	// minBlock is the length in bytes of a block without a body, which begins
	// after bodyOffset.
	minBlock   = 12
	bodyOffset = 8
)

// errChanged says that the two readers of the file saw different files.
var errChanged = errors.New("the capture changed while it was copied")

// endFile ends the block that b is, and writes it.
func (c *copier) endFile(b []byte) error {
	c.block = pcapng.End(b, c.order, 0)
	_, err := c.w.Write(c.block)
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

// maxCommented is how long comments may make a block, in bytes: Wireshark takes no
// longer ones.
const maxCommented = 16 << 20

// orderOf is the byte order of a section, by its byte-order magic.
func orderOf(magic []byte) (order, bool) {
	for _, o := range []order{binary.LittleEndian, binary.BigEndian} {
		if o.Uint32(magic) == pcapng.ByteOrderMagic {
			return o, true
		}
	}
	return nil, false
}
