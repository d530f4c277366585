package words

import (
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// AppendSeconds appends nanoseconds as seconds with six decimals.
func AppendSeconds(b []byte, ns int64) []byte {
	if ns < 0 {
		b = append(b, '-')
		ns = -ns
	}
	b = strconv.AppendInt(b, ns/1e9, 10)
	b = append(b, '.')
	return field.AppendDigits(b, ns/1e3%1e6, 100_000)
}

// AppendBytes appends a number of bytes with a unit that a person can take in.
func AppendBytes(b []byte, n int64) []byte {
	switch {
	case n >= 1e9:
		return append(strconv.AppendFloat(b, float64(n)/1e9, 'f', 2, 64), " GB"...)
	case n >= 1e6:
		return append(strconv.AppendFloat(b, float64(n)/1e6, 'f', 1, 64), " MB"...)
	case n >= 1e4:
		return append(strconv.AppendFloat(b, float64(n)/1e3, 'f', 1, 64), " kB"...)
	}
	return AppendCount(b, n, "byte")
}

// AppendCount appends "1 frame" or "5 frames".
func AppendCount(b []byte, n int64, noun string) []byte { return field.AppendCount(b, n, noun) }

// AppendHandle appends 32 bits as the contract has handles and XIDs.
func AppendHandle(b []byte, v uint32) []byte { return field.AppendHex(b, uint64(v), 8) }

// AppendQPN appends a queue pair number, 24 bits.
func AppendQPN(b []byte, v uint32) []byte { return field.AppendHex(b, uint64(v), 6) }

// AppendOffset appends 64 bits as the contract has offsets.
func AppendOffset(b []byte, v uint64) []byte { return field.AppendHex(b, v, 16) }
