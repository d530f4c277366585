package rocev2

import "github.com/rdmacap/rdmacap/field"

// A faultCode is what can be wrong with a packet, in one byte: an extended
// header that is not whole by the number of its bit, or something else.
type faultCode uint8

const (
	noFault  faultCode = 0
	faultCut faultCode = 1 // an extended header, plus its number
)

const (
	bthCut faultCode = faultCut + extCount + iota
	opcodeReserved
	versionNotZero
	noICRC
	padTooLong
	padTooShort
	payloadOfNone
	faultCount
)

var reasons = [faultCount]string{
	faultCut + 0: "RDETH cut short", faultCut + 1: "DETH cut short", faultCut + 2: "XRCETH cut short",
	faultCut + 3: "FETH cut short", faultCut + 4: "RETH cut short", faultCut + 5: "AtomicETH cut short",
	faultCut + 6: "AETH cut short", faultCut + 7: "AtomicAckETH cut short", faultCut + 8: "ImmDt cut short",
	faultCut + 9:   "IETH cut short",
	bthCut:         "BTH cut short",
	opcodeReserved: "reserved opcode",
	versionNotZero: "TVer is not 0",
	noICRC:         "packet ends before its ICRC",
	padTooLong:     "PadCnt is more than the bytes before the ICRC",
	padTooShort:    "payload and pad are not a multiple of four bytes",
	payloadOfNone:  "payload after an opcode that has none",
}

// Fault is the first thing wrong, with its byte in Bytes.
func (p *Packet) Fault() field.Fault {
	return field.Fault{Offset: int(p.faultAt), Reason: reasons[p.fault]}
}

// Faulty reports whether something is wrong.
func (p *Packet) Faulty() bool { return p.fault != noFault }

// blame notes what is wrong. All that is lies in the headers or directly after
// them, within 64 bytes.
func (p *Packet) blame(at int, c faultCode) { p.fault, p.faultAt = c, uint8(at) }
