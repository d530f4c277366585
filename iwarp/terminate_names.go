package iwarp

import (
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// layerName is the layer that found an error, "" if RFC 5040 has none of that
// number.
func layerName(layer uint8) string {
	return pick([]string{"RDMAP", "DDP", "LLP"}, int(layer))
}

// pick is the name at index i, "" beyond the last.
func pick(names []string, i int) string {
	if i >= len(names) {
		return ""
	}
	return names[i]
}

// etypeName is the error type by layer (RFC 5040 section 4.8; RFC 5044 section
// 8 for MPA, which is the LLP here), "" if it is reserved.
func etypeName(layer, etype uint8) string {
	switch layer {
	case 0:
		return pick([]string{"Local Catastrophic Error", "Remote Protection Error", "Remote Operation Error"}, int(etype))
	case 1:
		return pick([]string{"Local Catastrophic Error", "Tagged Buffer Error", "Untagged Buffer Error"}, int(etype))
	case 2:
		return pick([]string{"MPA Error"}, int(etype))
	}
	return ""
}

// hasCode reports whether the error type has codes: the local catastrophic
// errors have none, and any value may stand there.
func hasCode(layer, etype uint8) bool { return layer > 1 || etype != 0 }

// ecodeName is the error code (RFC 5040 section 4.8, RFC 5041 section 7, RFC
// 5044 section 8, RFC 6581 section 8), "" if it is reserved.
func ecodeName(layer, etype, ecode uint8) string {
	switch {
	case layer == 0 && etype == 1 && ecode <= 4:
		return pick([]string{"Invalid STag", "Base or bounds violation", "Access rights violation",
			"STag not associated with RDMAP Stream", "TO wrap"}, int(ecode))
	case layer == 0 && etype == 2 && ecode >= 5 && ecode <= 8:
		return pick([]string{"Invalid RDMAP version", "Unexpected OpCode",
			"Catastrophic error, localized to RDMAP Stream", "Catastrophic error, global"}, int(ecode-5))
	case layer == 0 && (etype == 1 || etype == 2) && ecode == 9:
		return "STag cannot be Invalidated"
	case layer == 0 && (etype == 1 || etype == 2) && ecode == 0xFF:
		return "Unspecified Error"
	case layer == 1 && etype == 1:
		return pick([]string{"Invalid STag", "Base or bounds violation", "STag not associated with DDP Stream",
			"TO wrap", "Invalid DDP version"}, int(ecode))
	case layer == 1 && etype == 2:
		return pick([]string{"", "Invalid QN", "Invalid MSN - no buffer available", "Invalid MSN - MSN range is not valid",
			"Invalid MO", "DDP Message too long for available buffer", "Invalid DDP version"}, int(ecode))
	case layer == 2 && etype == 0:
		return pick([]string{"", "TCP connection closed, terminated, or lost", "MPA CRC error",
			"MPA marker and ULPDU_Length do not agree", "Invalid MPA Request or Reply Frame", "Local catastrophic error",
			"Insufficient IRD resources", "No matching RTR option"}, int(ecode))
	}
	return ""
}

// String is the error in words, as in "DDP, Tagged Buffer Error: Base or bounds
// violation". A number stands where there is no name.
func (t *Termination) String() string { return string(t.appendError(nil)) }

func (t *Termination) appendError(dst []byte) []byte {
	dst, _ = appendError(dst, t.Layer, t.EType, t.ECode)
	switch {
	case t.LittleEndian:
		dst = append(dst, " (bits in the order of a little-endian compiler, as Linux siw sends them)"...)
	case t.bare && t.Layer != t.EType:
		// A Terminate of four bytes gives no proof of the order. What siw
		// means is told beside what RFC 5040 says, if it makes sense.
		if other, sense := appendError(nil, t.EType, t.Layer, t.ECode); sense {
			dst = append(dst, "; or, with bits in the order of a little-endian compiler, as Linux siw sends them, "...)
			dst = append(dst, other...)
		}
	}
	return dst
}

// appendError appends layer, type and code, and reports whether all of them
// have names.
func appendError(dst []byte, layer, etype, ecode uint8) (_ []byte, known bool) {
	known = true
	name := func(s, otherwise string, v uint8) {
		if s != "" {
			dst = append(dst, s...)
			return
		}
		known = false
		dst = append(dst, otherwise...)
		dst = field.AppendHex(dst, uint64(v), 1)
	}
	name(layerName(layer), "reserved layer ", layer)
	dst = append(dst, ", "...)
	name(etypeName(layer, etype), "error type ", etype)
	if hasCode(layer, etype) {
		dst = append(dst, ": "...)
		name(ecodeName(layer, etype, ecode), "error code ", ecode)
	}
	return dst, known
}

// AppendTo appends the error and what is known of the segment that was refused:
// "DDP, Tagged Buffer Error: Invalid STag; RDMA Write to STag 0x00000c82, TO
// 0x0000000000000000, DDP Segment Length 1438".
func (t *Termination) AppendTo(dst []byte) []byte {
	dst = t.appendError(dst)
	separator := "; "
	if t.DDP != nil {
		var p PDU
		p.Bytes, p.length = t.DDP, len(t.DDP)
		p.readHeader()
		dst = append(dst, separator...)
		dst = p.appendHeader(dst)
		separator = ", "
	}
	if t.RDMAP != nil {
		dst = append(dst, separator...)
		dst = appendReadRequest(dst, readRequest(t.RDMAP))
		separator = ", "
	}
	if t.HasLength && (t.DDP != nil || t.Length != 0) {
		dst = append(dst, separator...)
		dst = append(dst, "DDP Segment Length "...)
		dst = strconv.AppendUint(dst, uint64(t.Length), 10)
	}
	return dst
}
