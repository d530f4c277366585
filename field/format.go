package field

import (
	"encoding/hex"
	"net/netip"
	"strconv"
)

// Format is how a field's value is written for a person.
type Format uint8

const (
	Dec   Format = iota // decimal
	Hex                 // 0x and all its digits
	Flag                // one bit: 0 or 1, with the name of the Enum if it has one
	Bytes               // hexadecimal bytes, any length
	MAC                 // 48 bits, bytes with colons
	IP                  // 32 or 128 bits, IPv4 or IPv6 notation (GIDs too)
	ASCII               // quoted text
)

// AppendValue appends the field's value as a person reads it: "4791",
// "0x00000c82", "RC SEND Only (0x04)".
func (f *Field) AppendValue(dst, header []byte) []byte {
	data := header[f.Start():f.End()]
	switch f.Format {
	case Bytes:
		return hex.AppendEncode(dst, data)
	case MAC:
		for i := range data {
			if i > 0 {
				dst = append(dst, ':')
			}
			dst = hex.AppendEncode(dst, data[i:i+1])
		}
		return dst
	case IP:
		if a, ok := netip.AddrFromSlice(data); ok {
			return a.AppendTo(dst)
		}
		return hex.AppendEncode(dst, data)
	case ASCII:
		return strconv.AppendQuoteToASCII(dst, string(data))
	}
	v := f.Uint(header)
	name := ""
	if f.Enum != nil {
		name = f.Enum(v)
	}
	if name != "" {
		dst = append(dst, name...)
		dst = append(dst, " ("...)
		dst = f.appendNumber(dst, v)
		return append(dst, ')')
	}
	return f.appendNumber(dst, v)
}

func (f *Field) appendNumber(dst []byte, v uint64) []byte {
	if f.Format != Hex {
		return strconv.AppendUint(dst, v, 10)
	}
	return AppendHex(dst, v, (f.Width+3)/4)
}

// AppendHex appends v as 0x and exactly digits hexadecimal digits (more if the
// value needs them).
func AppendHex(dst []byte, v uint64, digits int) []byte {
	const lower = "0123456789abcdef"
	for digits < 16 && v>>(4*digits) != 0 {
		digits++
	}
	dst = append(dst, '0', 'x')
	for i := digits - 1; i >= 0; i-- {
		dst = append(dst, lower[v>>(4*i)&15])
	}
	return dst
}
