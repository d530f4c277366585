package rocev2

import "encoding/binary"

// Decode reads the packet that b holds, from the BTH to the end of the ICRC as
// far as it was captured. Length is the number of its bytes on the wire, as
// the length fields below tell; where b is longer, the rest of b is ignored.
//
// A frame that the snap length cut in its payload is no fault, and its bounds
// are those on the wire; one that was cut in its headers is. With a fault the
// fields before it are right, and all others are zero or as the bytes say;
// of a BTH that is not whole only the OpCode is set. A length of more than MaxSize
// counts as that.
func (p *Packet) Decode(b []byte, length int) {
	length = min(max(length, 0), MaxSize)
	b = b[:min(len(b), length)]
	if len(b) < BTHSize {
		*p = Packet{Bytes: b, length: uint32(length)}
		if len(b) > 0 {
			p.OpCode = OpCode(b[0])
		}
		p.blame(len(b), bthCut)
		return
	}
	op := OpCode(b[0])
	info := &opcodes[op]
	size, end := int(info.size), length-ICRCSize-int(b[1]>>4&3)
	// A literal would be put together elsewhere and copied.
	*p = Packet{}
	p.Bytes = b
	p.length, p.payloadEnd = uint32(length), uint32(end)
	p.OpCode = op
	p.DestQP = binary.BigEndian.Uint32(b[4:]) & 0xFFFFFF
	p.PSN = binary.BigEndian.Uint32(b[8:]) & psnMask
	if end < size || len(b) < size || b[1]&0x0F != 0 || length%4 != 0 ||
		info.kind == KindUnknown || info.flags&flagNoPayload != 0 && end != size {
		p.examine(info, length)
	}
}

// examine finds the first thing wrong with a packet that is not as usual, in
// the order of its bytes.
func (p *Packet) examine(info *opInfo, length int) {
	size, pad := int(info.size), int(p.PadCnt())
	room := length - size - ICRCSize // for payload and pad
	if room < pad {
		p.payloadEnd = uint32(min(size, length))
	}
	switch {
	case p.OpCode.Reserved():
		p.blame(0, opcodeReserved)
	case p.Bytes[1]&0x0F != 0:
		p.blame(1, versionNotZero)
	case len(p.Bytes) < size:
		p.blame(len(p.Bytes), info.cutShort(len(p.Bytes)))
	case room < 0:
		p.blame(len(p.Bytes), noICRC)
	case room < pad:
		p.blame(1, padTooLong)
	case length%4 != 0:
		p.blame(1, padTooShort)
	case info.flags&flagNoPayload != 0 && p.PayloadEnd() > size:
		p.blame(size, payloadOfNone)
	}
}

// cutShort is the fault of the first extended header that n bytes do not hold
// whole.
func (info *opInfo) cutShort(n int) faultCode {
	for h, at := range info.at {
		if at != 0 && int(at)+extSizes[h] > n {
			return faultCut + faultCode(h)
		}
	}
	return noFault
}
