package view

import (
	"encoding/binary"
	"math"
	"math/bits"
	"net/netip"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/field"
)

// A writer writes values for a person.
type writer struct {
	// full is for the tree: names with their numbers, more bytes. Without
	// it values are as short as a line needs them.
	full bool
}

// most is how many bytes of opaque data or text are written out.
func (w writer) most() int {
	if w.full {
		return 256
	}
	return 32
}

// number appends the value of a word or hyper.
func (w writer) number(dst []byte, t *types.Type, as types.As, v uint64) []byte {
	switch as.Format {
	case types.Hex:
		return w.hex(dst, t, v)
	case types.Octal:
		if v &= mask(t); v != 0 {
			dst = append(dst, '0')
		}
		return strconv.AppendUint(dst, v, 8)
	case types.Time, types.Timeval:
		return appendTime(dst, int64(v), 0, 0)
	case types.Seconds:
		return append(appendNumber(dst, t, v), " s"...)
	case types.Flags:
		return w.flags(dst, t, as.Names, v&mask(t))
	case types.Bits:
		var data [8]byte
		binary.BigEndian.PutUint32(data[:], uint32(v))
		binary.BigEndian.PutUint32(data[4:], uint32(v>>32))
		return w.bits(dst, as.Names, data[:t.Size()])
	case types.IPv4:
		return netip.AddrFrom4([4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}).AppendTo(dst)
	case types.Plain:
		switch t.Kind {
		case types.Enum:
			return w.named(dst, t, v)
		case types.Bool:
			return append(dst, types.BoolName(v)...)
		}
	}
	return appendNumber(dst, t, v)
}

// mask has the bits of a value of the type.
func mask(t *types.Type) uint64 {
	if t.Size() == 4 {
		return math.MaxUint32
	}
	return math.MaxUint64
}

func appendNumber(dst []byte, t *types.Type, v uint64) []byte {
	switch t.Kind {
	case types.Int, types.Hyper, types.Enum:
		return strconv.AppendInt(dst, int64(v), 10)
	case types.Float:
		return strconv.AppendFloat(dst, float64(math.Float32frombits(uint32(v))), 'g', -1, 32)
	case types.Double:
		return strconv.AppendFloat(dst, math.Float64frombits(v), 'g', -1, 64)
	}
	return strconv.AppendUint(dst, v, 10)
}

func (w writer) hex(dst []byte, t *types.Type, v uint64) []byte {
	return field.AppendHex(dst, v&mask(t), 2*t.Size())
}

// named appends the name of an enum's value; one without a name is a number.
func (w writer) named(dst []byte, t *types.Type, v uint64) []byte {
	name := t.Names.Name(v)
	switch {
	case name == "":
		return strconv.AppendInt(dst, int64(v), 10)
	case !w.full:
		return append(dst, strings.TrimPrefix(name, t.Names.Prefix)...)
	}
	dst = append(dst, name...)
	dst = append(dst, " ("...)
	dst = strconv.AppendInt(dst, int64(v), 10)
	return append(dst, ')')
}

// flags appends the names of the bits that are set, and what has no name as a
// number.
func (w writer) flags(dst []byte, t *types.Type, names *types.Names, v uint64) []byte {
	start, left := len(dst), v
	for i := range names.Members {
		bits := uint64(uint32(names.Members[i].Value))
		if bits == 0 && v == 0 || bits != 0 && v&bits == bits && left&bits != 0 {
			dst = w.join(dst, start, names, uint64(names.Members[i].Value))
			left &^= bits
			if v == 0 {
				break
			}
		}
	}
	switch {
	case len(dst) == start:
		return w.hex(dst, t, v)
	case left != 0:
		dst = w.hex(append(dst, '|'), t, left)
	}
	if w.full {
		dst = append(w.hex(append(dst, " ("...), t, v), ')')
	}
	return dst
}

func (w writer) join(dst []byte, start int, names *types.Names, v uint64) []byte {
	if len(dst) > start {
		dst = append(dst, '|')
	}
	if w.full {
		return append(dst, names.Name(v)...)
	}
	return append(dst, strings.TrimPrefix(names.Name(v), names.Prefix)...)
}

// bits appends the names of the bits of a bitmap of words, or their numbers.
func (w writer) bits(dst []byte, names *types.Names, bitmap []byte) []byte {
	start := len(dst)
	const most = 128 // bits written out
	count := 0
	for at := 0; at < len(bitmap); at += 4 {
		for word := binary.BigEndian.Uint32(bitmap[at:]); word != 0; word &= word - 1 {
			if count++; count > most {
				return append(dst, "|..."...)
			}
			i := 8*at + bits.TrailingZeros32(word)
			if names.Name(uint64(i)) != "" {
				dst = w.join(dst, start, names, uint64(i))
				continue
			}
			if len(dst) > start {
				dst = append(dst, '|')
			}
			dst = strconv.AppendInt(dst, int64(i), 10)
		}
	}
	if len(dst) == start {
		dst = append(dst, "none"...)
	}
	return dst
}
