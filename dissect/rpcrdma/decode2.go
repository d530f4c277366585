package rpcrdma

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect/xdr"
)

// body2 reads what follows the fixed words of a version 2 header; b is the
// whole message.
func (h *Header) body2(c *xdr.Cursor, b []byte) {
	switch h.Proc {
	case RDMAMsg, RDMANoMsg:
		h.part = partBody
		c.Short = "RDMA2_MSG or RDMA2_NOMSG header cut short"
		h.direction(c, "rdma_direction is neither CALL nor REPLY")
		h.InvHandle = c.Uint32()
		h.checkEnd(c)
		h.readList(c)
		h.writeList(c)
		h.replyChunk(c)
	case RDMAError:
		h.part = partBody
		h.error2(c, b)
	case RDMA2Optional:
		h.part = partBody
		h.optional(c, b)
	default:
		c.Fail(12, "rdma_proc is not defined")
	}
}

// direction reads the msg_type that begins a body.
func (h *Header) direction(c *xdr.Cursor, neither string) {
	at := c.Offset()
	h.Direction = Direction(c.Uint32())
	h.checkEnd(c)
	if h.Direction > DirectionReply {
		c.Fail(at, neither)
	}
}

// error2 reads rdma_err and what goes with it (section 5.2.4).
func (h *Header) error2(c *xdr.Cursor, b []byte) {
	c.Short = "RDMA2_ERROR header cut short"
	h.Direction = DirectionReply // section 5.2.2, whatever is in the message
	if directedError(b) {
		h.ErrorDirected = true
		c.Skip(4)
	}
	at := c.Offset()
	h.Error = ErrorCode(c.Uint32())
	h.checkEnd(c)
	if c.Bad() {
		return
	}
	switch h.Error {
	case ErrVers:
		h.VersLow = c.Uint32()
		h.VersHigh = c.Uint32()
	case Err2CantReply:
		word := c.Offset()
		processed := c.Uint32()
		if processed > 1 {
			c.Fail(word, "rdma_processed is neither 0 nor 1")
		}
		h.Processed = processed == 1
		h.SegmentIndex = c.Uint32()
		h.LengthNeeded = c.Uint32()
	case Err2BadXDR, Err2InvalidProc, Err2InvalidOption:
	default:
		c.Fail(at, "rdma_err is not defined")
	}
	h.checkEnd(c)
}

// directedError reports whether an RDMA2_ERROR has a direction in front of
// rdma_err: section 4.2 says so in words, while the XDR has none. The form of the
// XDR is taken where it fits. The length of the message tells, as both forms end
// with it; a RDMA2_ERR_VERS that is cut short after its first word may look like
// the other form.
func directedError(b []byte) bool {
	const word = 4
	if len(b) < FixedSize+2*word {
		return false
	}
	first := binary.BigEndian.Uint32(b[FixedSize:])
	return first <= uint32(DirectionReply) &&
		len(b) != error2Size(first) && len(b)-word == error2Size(binary.BigEndian.Uint32(b[FixedSize+word:]))
}

// error2Size is the bytes of an RDMA2_ERROR by its rdma_err; 0 if that is not
// defined.
func error2Size(code uint32) int {
	const word = 4
	switch ErrorCode(code) {
	case ErrVers:
		return FixedSize + 3*word
	case Err2CantReply:
		return FixedSize + 4*word
	case Err2BadXDR, Err2InvalidProc, Err2InvalidOption:
		return FixedSize + word
	}
	return 0
}

// optional reads an RDMA2_OPTIONAL (section 4.1): the header ends after
// rdma_optinfo. If that runs past the message, what there is of it is read.
func (h *Header) optional(c *xdr.Cursor, b []byte) {
	c.Short = "RDMA2_OPTIONAL header cut short"
	if h.option == nil {
		h.option = new(Option)
	}
	o := h.option
	o.reset()
	h.direction(c, "rdma_optdir is neither CALL nor REPLY")
	o.Type = OptionType(c.Uint32())
	h.checkEnd(c)
	if c.Bad() {
		return
	}
	at := c.Offset()
	length := c.Uint32()
	if c.Bad() {
		return
	}
	o.Start = c.Offset()
	info := b[o.Start:]
	if uint64(length) > uint64(len(info)) {
		c.Overrun(at, "rdma_optinfo runs past the message")
	} else {
		info = c.Fixed(int(length))
		h.checkEnd(c)
		if c.Bad() { // its padding is missing
			info = b[o.Start : o.Start+int(length)]
		}
	}
	o.decode(info, c.Bad())
}
