package hdr

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect/xdr"
)

// wordAt is a word of octets, which may be too few.
func wordAt(b []byte, at int) (v uint32, ok bool) {
	if at < 0 || at+xdr.WordSize > len(b) {
		return 0, false
	}
	return binary.BigEndian.Uint32(b[at:]), true
}
