// Package jsontext appends JSON, the same way for records and for the page's data: the
// rules of commas and of strings (RFC 8259) stand here alone.
//
// Nothing is allocated but where the buffer grows.
package jsontext

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// A Buffer appends JSON to B. Each value, and each name of a member, puts a comma before
// itself unless it is the first of its object or array.
type Buffer struct {
	B []byte
	// more says that a comma is needed before what comes next.
	more bool
}

// Sep appends a comma, if one is needed before the next value, which the caller appends to
// B himself.
func (j *Buffer) Sep() {
	if j.more {
		j.B = append(j.B, ',')
	}
	j.more = true
}

// Restart says that what comes next is not of what was appended so far: it needs no comma.
func (j *Buffer) Restart() { j.more = false }

// Line lets the next element begin on a line of its own.
func (j *Buffer) Line() {
	j.Sep()
	j.B = append(j.B, '\n')
	j.more = false
}

// Open begins an object '{' or an array '['.
func (j *Buffer) Open(c byte) {
	j.Sep()
	j.B = append(j.B, c)
	j.more = false
}

// Close ends it.
func (j *Buffer) Close(c byte) {
	j.B = append(j.B, c)
	j.more = true
}

// Name begins a member of an object. Names are constants that need no escapes. An empty
// one is none: what follows is an element of an array.
func (j *Buffer) Name(name string) {
	if name == "" {
		return
	}
	j.Sep()
	j.B = append(j.B, '"')
	j.B = append(j.B, name...)
	j.B = append(j.B, '"', ':')
	j.more = false
}

// Key is Name for a name that stands in quotes with its colon.
func (j *Buffer) Key(key string) {
	j.Sep()
	j.B = append(j.B, key...)
	j.more = false
}

// Int appends a number.
func (j *Buffer) Int(v int64) {
	j.Sep()
	j.B = strconv.AppendInt(j.B, v, 10)
}

// Uint appends a number.
func (j *Buffer) Uint(v uint64) {
	j.Sep()
	j.B = strconv.AppendUint(j.B, v, 10)
}

// Float appends a number, null for what is none.
func (j *Buffer) Float(v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		j.Null()
		return
	}
	j.Sep()
	j.B = strconv.AppendFloat(j.B, v, 'g', -1, 64)
}

// Bool appends true or false.
func (j *Buffer) Bool(v bool) {
	j.Sep()
	j.B = strconv.AppendBool(j.B, v)
}

// Null appends null.
func (j *Buffer) Null() {
	j.Sep()
	j.B = append(j.B, "null"...)
}

// String appends a string; bytes that are no UTF-8 become U+FFFD.
func (j *Buffer) String(s string) {
	j.Sep()
	j.B = append(j.B, '"')
	j.B = AppendInside(j.B, s)
	j.B = append(j.B, '"')
}

// Words is String for a text that needs no escapes: printable ASCII without quotes and backslashes.
func (j *Buffer) Words(s string) {
	j.Sep()
	j.B = append(j.B, '"')
	j.B = append(j.B, s...)
	j.B = append(j.B, '"')
}

// Text is String for bytes.
func (j *Buffer) Text(s []byte) {
	j.Sep()
	j.B = append(j.B, '"')
	j.B = AppendInside(j.B, s)
	j.B = append(j.B, '"')
}

// AppendInside appends the inside of a JSON string (RFC 8259, section 7).
func AppendInside[T string | []byte](b []byte, s T) []byte {
	plain := 0 // what stands before this was appended
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, s[plain:i]...)
		if c < utf8.RuneSelf {
			b = appendEscape(b, c)
			i++
		} else {
			r, n := utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
			b = utf8.AppendRune(b, r)
			i += n
		}
		plain = i
	}
	return append(b, s[plain:]...)
}

// appendEscape appends one character of ASCII that cannot stand in a string as
// it is, or, as DEL, had better not.
func appendEscape(b []byte, c byte) []byte {
	const digits = "0123456789abcdef"
	if c == '"' || c == '\\' {
		return append(b, '\\', c)
	}
	return append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}
