package filter

import (
	"net/netip"

	"github.com/rdmacap/rdmacap/field"
)

// maxEnumWidth is the widest field, in bits, of which every value is tried for
// a name. The names of a wider one are not known; it is a Uint.
const maxEnumWidth = 16

// Fields are the fields of a header, as its table describes them: of the table
// "bth" the field "psn" is "bth.psn". What the table writes as bytes are Bytes,
// addresses are Address, a flag is Bool, a number with names for some of its
// values is an Enum. Values.Header gives their values.
func Fields(t *field.Table) []Field {
	list := make([]Field, len(t.Fields))
	for i := range t.Fields {
		f := &t.Fields[i]
		list[i] = Field{Name: t.Key + "." + f.Key, Kind: kindOf(f), Doc: f.Doc, Hex: f.Format == field.Hex}
		if list[i].Kind == Enum {
			list[i].Names = namesOf(f)
		}
	}
	return list
}

func kindOf(f *field.Field) Kind {
	switch f.Format {
	case field.Bytes, field.MAC:
		return Bytes
	case field.IP:
		return Address
	case field.ASCII:
		return String
	case field.Flag:
		return Bool
	}
	if f.Enum != nil && f.Width <= maxEnumWidth {
		return Enum
	}
	return Uint
}

// namesOf tries all values of the field for a name.
func namesOf(f *field.Field) func(yield func(string, uint64) bool) {
	return func(yield func(string, uint64) bool) {
		for v := range uint64(1) << f.Width {
			if name := f.Enum(v); name != "" && !yield(name, v) {
				return
			}
		}
	}
}

// Header gives the value of a field of a table, as Fields names its kind, from
// the bytes of the header; nothing if they end before it does. It reads bit by
// bit as the table says: an accessor is faster where there is one.
func (v *Values) Header(f *field.Field, header []byte) {
	if f.End() > len(header) {
		return
	}
	data := header[f.Start():f.End()]
	switch kindOf(f) {
	case Bytes:
		v.Bytes(data)
	case Address:
		if a, ok := netip.AddrFromSlice(data); ok {
			v.Addr(a)
		}
	case String:
		v.Text(data)
	case Bool:
		v.Bool(f.Uint(header) != 0)
	default:
		v.Uint(f.Uint(header))
	}
}
