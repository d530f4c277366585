package report

import (
	"strconv"
	"unicode/utf8"

	"github.com/rdmacap/rdmacap/field"
)

// jsonBuffer appends JSON. Each method appends one member of an object, its
// comma included, or with an empty name one element of an array.
type jsonBuffer struct {
	b     []byte
	comma bool
}

func (j *jsonBuffer) open(c byte) {
	j.b = append(j.b, c)
	j.comma = false
}

func (j *jsonBuffer) close(c byte) {
	j.b = append(j.b, c)
	j.comma = true
}

// name begins a member.
func (j *jsonBuffer) name(name string) {
	if j.comma {
		j.b = append(j.b, ',')
	}
	j.comma = true
	if name != "" {
		j.b = append(j.b, '"')
		j.b = append(j.b, name...)
		j.b = append(j.b, '"', ':')
	}
}

func (j *jsonBuffer) object(name string) { j.name(name); j.open('{') }
func (j *jsonBuffer) list(name string)   { j.name(name); j.open('[') }
func (j *jsonBuffer) null(name string)   { j.name(name); j.b = append(j.b, "null"...) }

func (j *jsonBuffer) int(name string, v int64) {
	j.name(name)
	j.b = strconv.AppendInt(j.b, v, 10)
}

func (j *jsonBuffer) uint(name string, v uint64) {
	j.name(name)
	j.b = strconv.AppendUint(j.b, v, 10)
}

func (j *jsonBuffer) float(name string, v float64) {
	j.name(name)
	j.b = strconv.AppendFloat(j.b, v, 'f', 9, 64)
}

func (j *jsonBuffer) bool(name string, v bool) {
	j.name(name)
	j.b = strconv.AppendBool(j.b, v)
}

// handle appends 32 bits as a hex string with all its digits.
func (j *jsonBuffer) handle(name string, v uint32) { j.hex(name, uint64(v), 8) }

func (j *jsonBuffer) hex(name string, v uint64, digits int) {
	j.name(name)
	j.b = append(j.b, '"')
	j.b = field.AppendHex(j.b, v, digits)
	j.b = append(j.b, '"')
}

func (j *jsonBuffer) time(name string, ns int64) {
	j.name(name)
	j.b = append(j.b, '"')
	j.b = appendTime(j.b, ns)
	j.b = append(j.b, '"')
}

// str appends a string; octets that are no UTF-8 become U+FFFD.
func (j *jsonBuffer) str(name, s string) {
	j.name(name)
	j.b = append(j.b, '"')
	j.b = appendJSONText(j.b, s)
	j.b = append(j.b, '"')
}

// textFrom appends a string that f appends, which needs no escapes but those
// that appendJSONText would find.
func (j *jsonBuffer) textFrom(name string, f func([]byte) []byte) {
	j.name(name)
	j.b = append(j.b, '"')
	j.b = f(j.b)
	j.b = append(j.b, '"')
}

// appendJSONText appends the inside of a JSON string (RFC 8259, section 7).
func appendJSONText(b []byte, s string) []byte {
	const hexDigits = "0123456789abcdef"
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
			i++
		case c < ' ' || c == 0x7f:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			i++
		case c < utf8.RuneSelf:
			b = append(b, c)
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			b = utf8.AppendRune(b, r)
			i += n
		}
	}
	return b
}
