package page

import "strconv"

// buffer appends JSON. What is appended behind a value needs no comma of the
// caller's: each value puts one before itself unless it is the first.
type buffer struct {
	b []byte
}

// sep puts a comma where one is needed before the next value.
func (j *buffer) sep() {
	if n := len(j.b); n > 0 {
		switch j.b[n-1] {
		case '[', '{', ':', ',':
		default:
			j.b = append(j.b, ',')
		}
	}
}

func (j *buffer) open(c byte)  { j.sep(); j.b = append(j.b, c) }
func (j *buffer) close(c byte) { j.b = append(j.b, c) }

// name begins a member of an object; names are constants that need no escapes.
func (j *buffer) name(s string) {
	j.sep()
	j.b = append(j.b, '"')
	j.b = append(j.b, s...)
	j.b = append(j.b, '"', ':')
}

func (j *buffer) int(v int64) { j.sep(); j.b = strconv.AppendInt(j.b, v, 10) }

func (j *buffer) uint(v uint64) { j.sep(); j.b = strconv.AppendUint(j.b, v, 10) }

// str appends a string, Visible.
func (j *buffer) str(s string) {
	j.sep()
	j.b = append(j.b, '"')
	j.b = appendInside(j.b, s)
	j.b = append(j.b, '"')
}

// hex appends octets as a string of two digits each.
func (j *buffer) hex(octets []byte) {
	const digits = "0123456789abcdef"
	j.sep()
	j.b = append(j.b, '"')
	for _, c := range octets {
		j.b = append(j.b, digits[c>>4], digits[c&15])
	}
	j.b = append(j.b, '"')
}

// appendInside appends the inside of a JSON string (RFC 8259, section 7), Visible.
func appendInside[T string | []byte](b []byte, s T) []byte {
	plain := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, s[plain:i]...)
			b = append(b, '\\', c)
			plain = i + 1
		case c == arrow[0] && len(s)-i >= len(arrow) && s[i+1] == arrow[1] && s[i+2] == arrow[2]:
			i += len(arrow) - 1
		case c < ' ' || c >= 0x7f:
			// The rest is looked at character by character.
			b = append(b, s[plain:i]...)
			return appendSlow(b, Visible(string(s[i:])))
		}
	}
	return append(b, s[plain:]...)
}

// arrow stands in most of the details of rows.
const arrow = "→"

// appendSlow appends text without control characters.
func appendSlow(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c == '"' || c == '\\' {
			b = append(b, '\\')
		}
		b = append(b, s[i])
	}
	return b
}

func (j *buffer) strOf(name, s string)       { j.name(name); j.str(s) }
func (j *buffer) intOf(name string, v int64) { j.name(name); j.int(v) }

// strBytes is str for octets in a buffer that is used again.
func (j *buffer) strBytes(s []byte) {
	j.sep()
	j.b = append(j.b, '"')
	j.b = appendInside(j.b, s)
	j.b = append(j.b, '"')
}

func (j *buffer) null() { j.sep(); j.b = append(j.b, "null"...) }

// exact is the number up to which a double holds all whole ones.
const exact = 1 << 53

// whole appends a number as one that a double holds exactly, else as a string of its
// decimal digits.
func (j *buffer) whole(v uint64) {
	if v <= exact {
		j.uint(v)
		return
	}
	j.sep()
	j.b = append(j.b, '"')
	j.b = strconv.AppendUint(j.b, v, 10)
	j.b = append(j.b, '"')
}
