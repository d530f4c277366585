package report

import (
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/rdmacap/rdmacap/field"
)

// appendSeconds appends nanoseconds as seconds with six decimals.
func appendSeconds(b []byte, ns int64) []byte {
	if ns < 0 {
		b = append(b, '-')
		ns = -ns
	}
	b = strconv.AppendInt(b, ns/1e9, 10)
	b = append(b, '.')
	micro := ns / 1e3 % 1e6
	for div := int64(100_000); div > 0; div /= 10 {
		b = append(b, byte('0'+micro/div%10))
	}
	return b
}

// appendDuration appends nanoseconds with three digits and a unit.
func appendDuration(b []byte, ns int64) []byte {
	unit, div := " ns", int64(1)
	switch {
	case ns >= 1e9:
		unit, div = " s", 1e9
	case ns >= 1e6:
		unit, div = " ms", 1e6
	case ns >= 1e3:
		unit, div = " µs", 1e3
	}
	prec := 2
	switch whole := ns / div; {
	case div == 1 || whole >= 100:
		prec = 0
	case whole >= 10:
		prec = 1
	}
	b = strconv.AppendFloat(b, float64(ns)/float64(div), 'f', prec, 64)
	return append(b, unit...)
}

// appendOctets appends a number of octets with a unit that a person can take in.
func appendOctets(b []byte, n int64) []byte {
	switch {
	case n >= 1e9:
		return append(strconv.AppendFloat(b, float64(n)/1e9, 'f', 2, 64), " GB"...)
	case n >= 1e6:
		return append(strconv.AppendFloat(b, float64(n)/1e6, 'f', 1, 64), " MB"...)
	case n >= 1e4:
		return append(strconv.AppendFloat(b, float64(n)/1e3, 'f', 1, 64), " kB"...)
	}
	return append(strconv.AppendInt(b, n, 10), " octets"...)
}

// appendTime appends nanoseconds since 1970 as RFC 3339 with nanoseconds, UTC.
func appendTime(b []byte, ns int64) []byte {
	return time.Unix(0, ns).UTC().AppendFormat(b, "2006-01-02T15:04:05.000000000Z")
}

// appendPadded pads what f appends to width columns, at its left if right is
// true.
func pad(b []byte, start, width int, right bool) []byte {
	have := utf8.RuneCount(b[start:])
	if have >= width {
		return b
	}
	n := width - have
	for range n {
		b = append(b, ' ')
	}
	if right {
		copy(b[start+n:], b[start:len(b)-n])
		for i := range n {
			b[start+i] = ' '
		}
	}
	return b
}

// appendHandle appends 32 bits as the contract has handles and XIDs.
func appendHandle(b []byte, v uint32) []byte { return field.AppendHex(b, uint64(v), 8) }

// appendQPN appends a queue pair number.
func appendQPN(b []byte, v uint32) []byte { return field.AppendHex(b, uint64(v), 6) }

// appendOffset appends 64 bits as the contract has offsets.
func appendOffset(b []byte, v uint64) []byte { return field.AppendHex(b, v, 16) }
