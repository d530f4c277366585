package visible

import (
	"strconv"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/jsontext"
)

// A JSON appends JSON whose strings are visible.
type JSON struct{ jsontext.Buffer }

// NewJSON appends to b.
func NewJSON(b []byte) JSON { return JSON{jsontext.Buffer{B: b}} }

// String appends a string, visible.
func (j *JSON) String(s string) {
	j.Sep()
	j.B = append(j.B, '"')
	j.B = appendInside(j.B, s)
	j.B = append(j.B, '"')
}

// Hex appends bytes as a string of two digits each.
func (j *JSON) Hex(data []byte) {
	const digits = "0123456789abcdef"
	j.Sep()
	j.B = append(j.B, '"')
	for _, c := range data {
		j.B = append(j.B, digits[c>>4], digits[c&15])
	}
	j.B = append(j.B, '"')
}

// appendInside appends the inside of a JSON string, visible.
func appendInside[T string | []byte](b []byte, s T) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == arrow[0] && len(s)-i >= len(arrow) && s[i+1] == arrow[1] && s[i+2] == arrow[2]:
			i += len(arrow) - 1
		case c < ' ' || c >= 0x7f:
			return jsontext.AppendInside(b, field.Visible(string(s)))
		}
	}
	return jsontext.AppendInside(b, s)
}

// arrow stands in most of the details of rows.
const arrow = "→"

func (j *JSON) StringOf(name, s string)    { j.Name(name); j.String(s) }
func (j *JSON) IntOf(name string, v int64) { j.Name(name); j.Int(v) }

// Text is String for bytes in a buffer that is used again.
func (j *JSON) Text(s []byte) {
	j.Sep()
	j.B = append(j.B, '"')
	j.B = appendInside(j.B, s)
	j.B = append(j.B, '"')
}

// Exact is the number up to which a double holds all whole ones.
const Exact = 1 << 53

// Whole appends a number as one that a double holds exactly, else as a string of its
// decimal digits.
func (j *JSON) Whole(v uint64) {
	if v <= Exact {
		j.Uint(v)
		return
	}
	j.Sep()
	j.B = append(j.B, '"')
	j.B = strconv.AppendUint(j.B, v, 10)
	j.B = append(j.B, '"')
}

// Bit is 1 for true.
func Bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
