package iwarp

import (
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// capturedCount is a number of bytes on the wire, as in "12 bytes", with what
// was captured of them if that is less, as in "12 bytes, 5 captured".
func capturedCount(length, captured int) string {
	if captured >= length {
		return field.ByteCount(length)
	}
	return field.ByteCount(length) + ", " + strconv.Itoa(captured) + " captured"
}
