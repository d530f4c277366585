package report

import (
	"strconv"

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
	return appendDigits(b, ns/1e3%1e6, 100_000)
}

// appendDuration appends nanoseconds, rounded to three digits, with a unit.
func appendDuration(b []byte, ns int64) []byte {
	place := int64(1) // of the last digit that is shown
	for ns/place >= 1000 {
		place *= 10
	}
	ns = (ns + place/2) / place * place
	unit, div := " ns", int64(1)
	switch {
	case ns >= 1e9:
		unit, div = " s", 1e9
	case ns >= 1e6:
		unit, div = " ms", 1e6
	case ns >= 1e3:
		unit, div = " µs", 1e3
	}
	b = strconv.AppendInt(b, ns/div, 10)
	switch whole := ns / div; {
	case div == 1 || whole >= 100:
	case whole >= 10:
		b = append(b, '.')
		b = appendDigits(b, ns%div/(div/10), 1)
	default:
		b = append(b, '.')
		b = appendDigits(b, ns%div/(div/100), 10)
	}
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
	return appendCount(b, n, "octet")
}

// appendCount appends "1 frame" or "5 frames".
func appendCount(b []byte, n int64, noun string) []byte {
	b = strconv.AppendInt(b, n, 10)
	b = append(b, ' ')
	b = append(b, noun...)
	if n != 1 {
		b = append(b, 's')
	}
	return b
}

// appendHandle appends 32 bits as the contract has handles and XIDs.
func appendHandle(b []byte, v uint32) []byte { return field.AppendHex(b, uint64(v), 8) }

// appendQPN appends a queue pair number, 24 bits.
func appendQPN(b []byte, v uint32) []byte { return field.AppendHex(b, uint64(v), 6) }

// appendOffset appends 64 bits as the contract has offsets.
func appendOffset(b []byte, v uint64) []byte { return field.AppendHex(b, v, 16) }
