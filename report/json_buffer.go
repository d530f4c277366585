package report

import (
	"strconv"
	"unicode/utf8"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/rules"
)

// jsonBuffer appends JSON. Each method appends one member of an object, its
// comma included, or with an empty name one element of an array. Names are
// constants of this package and need no escapes.
type jsonBuffer struct {
	b     []byte
	comma bool // a member was written before
	clock clock
	// drafts is not nil if what is written are drafts.
	drafts *drafter
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
	b := j.b
	if j.comma {
		b = append(b, ',')
	}
	j.comma = true
	if name != "" {
		b = append(b, '"')
		b = append(b, name...)
		b = append(b, '"', ':')
	}
	j.b = b
}

func (j *jsonBuffer) object(name string) { j.name(name); j.open('{') }
func (j *jsonBuffer) list(name string)   { j.name(name); j.open('[') }
func (j *jsonBuffer) null(name string)   { j.name(name); j.b = append(j.b, "null"...) }

func (j *jsonBuffer) int(name string, v int64) {
	j.name(name)
	j.b = strconv.AppendInt(j.b, v, 10)
}

// number is the number of a connection.
func (j *jsonBuffer) number(name string, c *dissect.Connection) {
	if j.drafts == nil {
		j.int(name, int64(c.ID))
		return
	}
	j.name(name)
	j.drafts.blank(blank{at: len(j.b), what: blankNumber, conn: c})
}

// finding is the number of a finding, of those that have one.
func (j *jsonBuffer) finding(name string, f *rules.Finding, ids map[*rules.Finding]int64) {
	if j.drafts == nil {
		j.int(name, ids[f])
		return
	}
	j.name(name)
	j.drafts.blank(blank{at: len(j.b), what: blankFinding, finding: f})
}

func (j *jsonBuffer) uint(name string, v uint64) {
	j.name(name)
	j.b = strconv.AppendUint(j.b, v, 10)
}

// seconds appends nanoseconds as a number of seconds.
func (j *jsonBuffer) seconds(name string, ns int64) {
	j.name(name)
	if ns < 0 {
		j.b = append(j.b, '-')
		ns = -ns
	}
	j.b = strconv.AppendInt(j.b, ns/1e9, 10)
	j.b = append(j.b, '.')
	j.b = appendDigits(j.b, ns%1e9, 100_000_000)
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

// time appends a time in nanoseconds since 1970, null for 0: a file may have
// no times.
func (j *jsonBuffer) time(name string, ns int64) {
	if ns == 0 {
		j.null(name)
		return
	}
	j.name(name)
	j.b = append(j.b, '"')
	j.b = j.clock.append(j.b, ns)
	j.b = append(j.b, '"')
}

// str appends a string; octets that are no UTF-8 become U+FFFD.
func (j *jsonBuffer) str(name, s string) {
	j.name(name)
	j.b = append(j.b, '"')
	j.b = appendJSONText(j.b, s)
	j.b = append(j.b, '"')
}

// text is str for octets.
func (j *jsonBuffer) text(name string, s []byte) {
	j.name(name)
	j.b = append(j.b, '"')
	j.b = appendJSONText(j.b, s)
	j.b = append(j.b, '"')
}

// strOrNull appends a string, null for an empty one.
func (j *jsonBuffer) strOrNull(name, s string) {
	if s == "" {
		j.null(name)
		return
	}
	j.str(name, s)
}

// textFrom appends a string that f appends and that needs no escapes: an
// address, or words of this program.
func (j *jsonBuffer) textFrom(name string, f func([]byte) []byte) {
	j.name(name)
	j.b = append(j.b, '"')
	j.b = f(j.b)
	j.b = append(j.b, '"')
}

// appendJSONText appends the inside of a JSON string (RFC 8259, section 7).
func appendJSONText[T string | []byte](b []byte, s T) []byte {
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
