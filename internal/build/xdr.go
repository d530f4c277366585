package build

// appendOpaque writes a variable-length opaque: its length, its bytes, zeros
// up to four bytes (RFC 4506, section 4.10).
func appendOpaque(b, data []byte) []byte {
	b = append(appendWords(b, uint32(len(data))), data...)
	return append(b, make([]byte, -len(data)&3)...)
}

// appendHyper writes a 64-bit integer (RFC 4506, section 4.5).
func appendHyper(b []byte, v uint64) []byte { return appendWords(b, uint32(v>>32), uint32(v)) }
