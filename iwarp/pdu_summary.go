package iwarp

import (
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// AppendPDUSummary appends one line about a segment that Decode has read, as in
// "Send MSN 5, 284 bytes" or "RDMA Write to STag 0x00000c82, TO
// 0x0000000000001000, 1424 bytes, not the last", with the fault if there is
// one.
func AppendPDUSummary(dst []byte, p *PDU) []byte {
	dst = p.appendSummary(dst)
	if p.Fault.Bad() {
		dst = append(dst, " ["...)
		dst = append(dst, p.Fault.String()...)
		dst = append(dst, ']')
	}
	return dst
}

// appendSummary is AppendPDUSummary without the fault.
func (p *PDU) appendSummary(dst []byte) []byte {
	if len(p.Bytes) < 2 {
		return append(dst, "DDP segment"...)
	}
	if !p.sound() {
		return append(dst, p.OpCode.String()...)
	}
	dst = p.appendHeader(dst)
	if ops[p.OpCode].single() {
		before := len(dst)
		dst = p.appendMessageSummary(append(dst, ": "...))
		if len(dst) == before+len(": ") {
			dst = dst[:before]
		}
		return dst
	}
	dst = append(dst, ", "...)
	dst = field.AppendCount(dst, int64(p.PayloadLength()), "byte")
	if !p.Last {
		dst = append(dst, ", not the last"...)
	}
	return dst
}

// appendMessageSummary appends what a message says that is a header of RDMAP's,
// nothing if it is no such message or was not captured whole.
func (p *PDU) appendMessageSummary(dst []byte) []byte {
	if r, ok := p.ReadRequest(); ok {
		return appendReadRequest(dst, r)
	}
	if t, ok := p.Termination(); ok {
		return t.AppendTo(dst)
	}
	if v, ok := p.Immediate(); ok {
		return field.AppendHex(dst, v, 16)
	}
	if r, ok := p.AtomicRequest(); ok {
		return r.appendTo(dst)
	}
	if r, ok := p.AtomicResponse(); ok {
		return r.appendTo(dst)
	}
	return dst
}

// appendHeader appends what the DDP header says: opcode, and whereto. A
// Terminate is the only message of its queue, so its MSN says nothing.
func (p *PDU) appendHeader(dst []byte) []byte {
	dst = append(dst, p.OpCode.String()...)
	if p.Tagged {
		return appendTarget(append(dst, " to "...), p.STag, p.TO)
	}
	if p.OpCode != OpTerminate {
		dst = append(dst, " MSN "...)
		dst = strconv.AppendUint(dst, uint64(p.MSN), 10)
	}
	if p.MO != 0 {
		dst = append(dst, " from byte "...)
		dst = strconv.AppendUint(dst, uint64(p.MO), 10)
	}
	if p.OpCode.Invalidates() {
		dst = append(dst, ", invalidate STag "...)
		dst = field.AppendHex(dst, uint64(p.Invalidate), 8)
	}
	return dst
}

// appendReadRequest appends how much goes from where to where.
func appendReadRequest(dst []byte, r ReadRequest) []byte {
	dst = field.AppendCount(dst, int64(r.Size), "byte")
	dst = appendTarget(append(dst, " from "...), r.SourceSTag, r.SourceTO)
	return appendTarget(append(dst, " into "...), r.SinkSTag, r.SinkTO)
}

func (r *AtomicRequest) appendTo(dst []byte) []byte {
	dst = append(dst, r.Op.String()...)
	dst = append(dst, ", request "...)
	dst = strconv.AppendUint(dst, uint64(r.ID), 10)
	return appendTarget(append(dst, ", at "...), r.STag, r.TO)
}

func (r *AtomicResponse) appendTo(dst []byte) []byte {
	dst = append(dst, "request "...)
	dst = strconv.AppendUint(dst, uint64(r.ID), 10)
	return field.AppendHex(append(dst, ", value before "...), r.Original, 16)
}

// appendTarget appends a buffer and the offset in it.
func appendTarget(dst []byte, stag uint32, to uint64) []byte {
	dst = field.AppendHex(append(dst, "STag "...), uint64(stag), 8)
	return field.AppendHex(append(dst, ", TO "...), to, 16)
}
