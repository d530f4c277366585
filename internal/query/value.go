package query

import (
	"strconv"
	"time"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/filter"
)

// appendValue appends a value for a person. Names are those of an Enum that cannot spell.
func (f *Field) appendValue(b []byte, v *filter.Value, names map[uint64]string) []byte {
	switch f.Kind {
	case filter.Bool:
		return strconv.AppendBool(b, v.Number != 0)
	case filter.Enum:
		if v.Str != "" {
			return append(b, v.Str...)
		}
		if f.Spell != nil {
			return append(b, f.Spell(v.Number)...)
		}
		if name, ok := names[v.Number]; ok {
			return append(b, name...)
		}
	case filter.Int:
		return strconv.AppendInt(b, int64(v.Number), 10)
	case filter.Duration:
		return field.AppendDuration(b, int64(v.Number))
	case filter.Time:
		return time.Unix(0, int64(v.Number)).UTC().AppendFormat(b, "2006-01-02T15:04:05.000000000Z")
	case filter.Address:
		return v.Addr.AppendTo(b)
	case filter.Bytes:
		return appendBytes(b, v.Bytes)
	case filter.String:
		if v.Str != "" {
			return field.AppendVisible(b, v.Str)
		}
		return field.AppendVisible(b, string(v.Bytes))
	}
	if f.Unit == Handle {
		return field.AppendHex(b, v.Number, 8)
	}
	return strconv.AppendUint(b, v.Number, 10)
}

// Heading is what stands above a column of the field.
func (f *Field) Heading() string {
	if f.Title != "" {
		return f.Title
	}
	return f.Name
}

// IsNumber reports whether its values are numbers or lengths of time, which stand flush
// right in a column.
func (f *Field) IsNumber() bool {
	return f.Kind == filter.Duration || f.Unit != Handle && (f.Kind == filter.Uint || f.Kind == filter.Int)
}

// Width is how many characters its values, and its heading, take as a rule.
func (f *Field) Width() int {
	width := 16
	switch {
	case f.Kind == filter.Time:
		width = len("2026-01-31T15:04:05.250000000Z")
	case f.Unit == Handle:
		width = len("0x00000000")
	case f.Kind == filter.Bool, f.IsNumber():
		width = 8
	}
	return max(width, len(f.Heading()))
}

// appendBytes appends bytes as filters take them.
func appendBytes(b, data []byte) []byte {
	const digits = "0123456789abcdef"
	for i, o := range data {
		if i > 0 {
			b = append(b, ':')
		}
		b = append(b, digits[o>>4], digits[o&15])
	}
	return b
}
