package view

import (
	"encoding/binary"
	"math"
	"strconv"
	"time"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// pair appends a struct of seconds and a part of one.
func (w writer) pair(dst []byte, t *types.Type, format types.Format, b []byte) []byte {
	first, second := t.Fields[0].Type, t.Fields[1].Type
	seconds, part := int64(read(first, b)), read(second, b[first.Size():])
	digits := 9
	if format == types.Timeval {
		digits = 6
	}
	if format == types.Seconds {
		dst = strconv.AppendInt(dst, seconds, 10)
		return append(appendPart(dst, part, digits), " s"...)
	}
	return appendTime(dst, seconds, part, digits)
}

// read is a word or hyper, signed ones extended to 64 bits.
func read(t *types.Type, b []byte) uint64 {
	switch {
	case t.Size() == 8:
		return binary.BigEndian.Uint64(b)
	case t.Kind == types.Int || t.Kind == types.Enum:
		return uint64(int32(binary.BigEndian.Uint32(b)))
	}
	return uint64(binary.BigEndian.Uint32(b))
}

// appendPart appends the decimals of a second; a part that is a second or more
// is not one, and stands as it is.
func appendPart(dst []byte, part uint64, digits int) []byte {
	if digits == 0 {
		return dst
	}
	unit := uint64(math.Pow10(digits))
	if part >= unit {
		dst = append(dst, " + "...)
		dst = strconv.AppendUint(dst, part, 10)
		return append(dst, '/', '1', 'e', byte('0'+digits))
	}
	dst = append(dst, '.')
	for unit /= 10; unit > 0; unit /= 10 {
		dst = append(dst, byte('0'+part/unit%10))
	}
	return dst
}

// appendTime appends a point of time in UTC; one beyond the years that have
// four digits is in seconds since 1970.
func appendTime(dst []byte, seconds int64, part uint64, digits int) []byte {
	const year10000 = 253402300800
	if seconds < 0 || seconds >= year10000 {
		dst = strconv.AppendInt(dst, seconds, 10)
		return append(appendPart(dst, part, digits), " s since 1970"...)
	}
	dst = time.Unix(seconds, 0).UTC().AppendFormat(dst, "2006-01-02T15:04:05")
	return append(appendPart(dst, part, digits), 'Z')
}
