package rocev2

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/field"
)

// Decode reads the packet that b holds, from the BTH to the end of the ICRC as
// far as it was captured. Length is the number of its octets on the wire, as
// the length fields below tell; where b is longer, the rest of b is ignored.
//
// A frame that the snap length cut in its payload is no fault, and its bounds
// are those on the wire; one that was cut in its headers is. With a fault the
// fields before it are right, and all others are zero or as the octets say;
// of a BTH that is not whole only the OpCode is set.
func (p *Packet) Decode(b []byte, length int) {
	b = b[:min(len(b), max(length, 0))]
	if len(b) < BTHSize {
		*p = Packet{Octets: b, length: length}
		if len(b) > 0 {
			p.OpCode = OpCode(b[0])
		}
		p.Fault = field.Fault{Offset: len(b), Reason: "BTH cut short"}
		return
	}
	// From here on each field is written once, rather than all cleared first.
	p.Octets, p.length = b, length
	p.Fault = field.Fault{}
	flags, qp, psn := b[1], binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
	p.OpCode = OpCode(b[0])
	p.Solicited = flags&0x80 != 0
	p.MigReq = flags&0x40 != 0
	p.PadCnt = flags >> 4 & 3
	p.PKey = binary.BigEndian.Uint16(b[2:])
	p.FECN = qp>>31 != 0
	p.BECN = qp>>30&1 != 0
	p.DestQP = qp & 0xFFFFFF
	p.AckReq = psn>>31 != 0
	p.PSN = psn & psnMask

	info := &opcodes[p.OpCode]
	p.place(info)
	size := int(info.size)
	p.PayloadStart = size
	p.PayloadEnd = length - ICRCSize - int(p.PadCnt)
	if p.PayloadEnd < size || len(b) < size || flags&0x0F != 0 || length%4 != 0 ||
		info.kind == KindUnknown || info.flags&flagNoPayload != 0 && p.PayloadEnd != size {
		p.examine(info, length)
	}
}

// place sets the offsets of the extended headers.
func (p *Packet) place(info *opInfo) {
	p.RDETH = int(info.at[0])
	p.DETH = int(info.at[1])
	p.XRCETH = int(info.at[2])
	p.FETH = int(info.at[3])
	p.RETH = int(info.at[4])
	p.Atomic = int(info.at[5])
	p.AETH = int(info.at[6])
	p.AtomicAck = int(info.at[7])
	p.ImmDt = int(info.at[8])
	p.IETH = int(info.at[9])
}

// examine finds the first thing wrong with a packet that is not as usual, in
// the order of its octets, and takes back what lies beyond them.
func (p *Packet) examine(info *opInfo, length int) {
	size := int(info.size)
	if len(p.Octets) < size {
		whole := *info
		for h, at := range info.at {
			if int(at)+extSizes[h] > len(p.Octets) {
				whole.at[h] = 0
			}
		}
		p.place(&whole)
	}
	if p.PayloadEnd < size {
		p.PayloadStart = min(size, length)
		p.PayloadEnd = p.PayloadStart
	}
	room := length - size - ICRCSize // for payload and pad
	switch {
	case p.OpCode.Reserved():
		p.Fault = field.Fault{Offset: 0, Reason: "reserved opcode"}
	case p.Octets[1]&0x0F != 0:
		p.Fault = field.Fault{Offset: 1, Reason: "TVer is not 0"}
	case len(p.Octets) < size:
		p.Fault = field.Fault{Offset: len(p.Octets), Reason: info.cutShort(len(p.Octets))}
	case room < 0:
		p.Fault = field.Fault{Offset: len(p.Octets), Reason: "packet ends before its ICRC"}
	case room < int(p.PadCnt):
		p.Fault = field.Fault{Offset: 1, Reason: "PadCnt is more than the octets before the ICRC"}
	case length%4 != 0:
		p.Fault = field.Fault{Offset: 1, Reason: "payload and pad are no multiple of four octets"}
	case info.flags&flagNoPayload != 0 && p.PayloadEnd > size:
		p.Fault = field.Fault{Offset: size, Reason: "payload after an opcode that has none"}
	}
}

// cutShort names the first extended header that n octets do not hold whole.
func (info *opInfo) cutShort(n int) string {
	for h, at := range info.at {
		if at != 0 && int(at)+extSizes[h] > n {
			return cutReasons[h]
		}
	}
	return ""
}

// cutReasons are the faults of extended headers that are not whole.
var cutReasons = [extCount]string{"RDETH cut short", "DETH cut short", "XRCETH cut short", "FETH cut short",
	"RETH cut short", "AtomicETH cut short", "AETH cut short", "AtomicAckETH cut short", "ImmDt cut short", "IETH cut short"}
