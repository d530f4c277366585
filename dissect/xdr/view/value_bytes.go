package view

import (
	"encoding/hex"
	"hash/crc32"
	"net/netip"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/field"
)

// bytes appends opaque data, a string, or a struct of fixed size. Length is
// how many bytes there are, of which b may have only the first.
func (w writer) bytes(dst []byte, t *types.Type, as types.As, b []byte) []byte {
	format := as.Format
	if format == types.Plain && t.Kind == types.String {
		format = types.Text
	}
	switch format {
	case types.Handle:
		dst = field.AppendHex(dst, uint64(crc32.ChecksumIEEE(b)), 8)
		if w.full {
			dst = append(dst, " (CRC-32 of "...)
			dst = field.AppendCount(dst, int64(len(b)), "byte")
			dst = append(dst, "): "...)
			dst = w.some(dst, b)
		}
		return dst
	case types.Text:
		return w.text(dst, b)
	case types.Count:
		return field.AppendCount(dst, int64(len(b)), "byte")
	case types.IPv4, types.IPv6:
		if a, ok := netip.AddrFromSlice(b); ok {
			return a.AppendTo(dst)
		}
	case types.UUID:
		if len(b) == 16 {
			for i, end := range [5]int{4, 6, 8, 10, 16} {
				if i > 0 {
					dst = append(dst, '-')
				}
				dst = hex.AppendEncode(dst, b[[5]int{0, 4, 6, 8, 10}[i]:end])
			}
			return dst
		}
	case types.Time, types.Timeval, types.Seconds:
		if t.IsTimePair() && len(b) == int(t.Min) {
			return w.pair(dst, t, format, b)
		}
	case types.Hex:
		dst = append(dst, "0x"...)
	case types.Bits:
		if len(b)%4 == 0 {
			return w.bits(dst, as.Names, b)
		}
	}
	return w.some(dst, b)
}

// some appends bytes in hexadecimal digits, not all if there are many.
func (w writer) some(dst, b []byte) []byte {
	if len(b) > w.most() {
		dst = hex.AppendEncode(dst, b[:w.most()])
		dst = append(dst, "... ("...)
		return append(field.AppendCount(dst, int64(len(b)), "byte"), ')')
	}
	return hex.AppendEncode(dst, b)
}

// text appends bytes as quoted text, not all if there are many.
func (w writer) text(dst, b []byte) []byte {
	dst = field.AppendQuote(dst, b[:min(len(b), 4*w.most())])
	if len(b) > 4*w.most() {
		dst = append(dst, "... ("...)
		dst = append(field.AppendCount(dst, int64(len(b)), "byte"), ')')
	}
	return dst
}
