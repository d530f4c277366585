package xdr

import "encoding/binary"

// WordSize is the number of bytes of the unit that all of XDR is made of (RFC 4506,
// section 3).
const WordSize = 4

// Padded is the number of bytes that an item of n bytes takes with its padding:
// n rounded up to whole words.
func Padded[N uint32 | uint64](n N) uint64 { return (uint64(n) + 3) &^ 3 }

// WordAt is the word at an offset of bytes; not ok if they do not reach so far.
func WordAt(b []byte, at int) (v uint32, ok bool) {
	if at < 0 || at+WordSize > len(b) {
		return 0, false
	}
	return binary.BigEndian.Uint32(b[at:]), true
}
