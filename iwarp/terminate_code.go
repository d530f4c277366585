package iwarp

// A Code is the error of a Terminate: Layer in the upper four bits, then EType in
// four and ECode in eight, as its first two bytes are (RFC 5040 section 4.8).
type Code uint16

// Errors of the untagged buffers of DDP, which Sends are for (RFC 5041 section 7.2).
const (
	NoBuffer Code = 0x1202 // Invalid MSN - no buffer available: no receive was published
	TooLong  Code = 0x1205 // DDP Message too long for available buffer
)

// InsufficientIRD is the error of MPA that an end issues more RDMA Reads at a time
// than the other takes (RFC 6581 section 8).
const InsufficientIRD Code = 0x2006

// ofCRC is the error of MPA that the CRC of an FPDU is wrong (RFC 5044 section 8).
const ofCRC Code = 0x2002

// OfCRC reports whether the error is that the CRC of an FPDU is wrong. A control field alone does
// not tell how it is laid out; there is no such error of RDMAP as it would be in the other order.
func (t *Termination) OfCRC() bool {
	const swapped Code = 0x0202
	c := t.Code()
	return c == ofCRC || t.bare && c == swapped
}

// Code is the error as one number.
func (t *Termination) Code() Code {
	return Code(t.Layer&15)<<12 | Code(t.EType&15)<<8 | Code(t.ECode)
}

// CannotInvalidate reports whether the error is that an STag cannot be invalidated,
// which there is of two types (RFC 5040 section 4.8).
func (t *Termination) CannotInvalidate() bool {
	const protection, operation Code = 0x0109, 0x0209
	c := t.Code()
	return c == protection || c == operation
}

// SendMSN is the Message Sequence Number of the Send whose DDP header the message
// repeats; not ok if it repeats none.
func (t *Termination) SendMSN() (msn uint32, ok bool) {
	if len(t.DDP) < UntaggedSize {
		return 0, false
	}
	p := PDU{Bytes: t.DDP, length: len(t.DDP)}
	p.readHeader()
	if p.Tagged || p.QN != 0 || !p.OpCode.IsSend() {
		return 0, false
	}
	return p.MSN, true
}
