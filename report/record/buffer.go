package record

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/jsontext"
	"github.com/rdmacap/rdmacap/report/words"
)

// buffer appends JSON. Each method appends one member of an object, or with an empty
// name one element of an array.
type buffer struct {
	jsontext.Buffer
	clock words.Clock
	// drafts is not nil if what is written are drafts.
	drafts *draft.Deferrer
}

func (j *buffer) object(name string) { j.Name(name); j.Open('{') }

func (j *buffer) list(name string) { j.Name(name); j.Open('[') }

func (j *buffer) null(name string) { j.Name(name); j.Null() }

func (j *buffer) int(name string, v int64) {
	j.Name(name)
	j.Int(v)
}

// number is the number of a connection.
func (j *buffer) number(name string, c *dissect.Connection) {
	if j.drafts == nil {
		j.int(name, int64(c.ID))
		return
	}
	j.Name(name)
	j.Sep()
	j.drafts.Leave(draft.Placeholder{At: len(j.B), What: draft.Number, Conn: c})
}

// finding is the number of a finding, of those that have one.
func (j *buffer) finding(name string, f *finding.Finding, ids map[*finding.Finding]int64) {
	if j.drafts == nil {
		j.int(name, ids[f])
		return
	}
	j.Name(name)
	j.Sep()
	j.drafts.Leave(draft.Placeholder{At: len(j.B), What: draft.Finding, Finding: f})
}

func (j *buffer) uint(name string, v uint64) {
	j.Name(name)
	j.Uint(v)
}

// seconds appends nanoseconds as a number of seconds.
func (j *buffer) seconds(name string, ns int64) {
	j.Name(name)
	j.Sep()
	if ns < 0 {
		j.B = append(j.B, '-')
		ns = -ns
	}
	j.B = strconv.AppendInt(j.B, ns/1e9, 10)
	j.B = append(j.B, '.')
	j.B = field.AppendDigits(j.B, ns%1e9, 100_000_000)
}

func (j *buffer) bool(name string, v bool) {
	j.Name(name)
	j.Bool(v)
}

// handle appends 32 bits as a hex string with all its digits.
func (j *buffer) handle(name string, v uint32) { j.hex(name, uint64(v), 8) }

func (j *buffer) hex(name string, v uint64, digits int) {
	j.Name(name)
	j.Sep()
	j.B = append(j.B, '"')
	j.B = field.AppendHex(j.B, v, digits)
	j.B = append(j.B, '"')
}

// time appends a time in nanoseconds since 1970, null for 0: a file may have
// no times.
func (j *buffer) time(name string, ns int64) {
	if ns == 0 {
		j.null(name)
		return
	}
	j.Name(name)
	j.Sep()
	j.B = append(j.B, '"')
	j.B = j.clock.Append(j.B, ns)
	j.B = append(j.B, '"')
}

// str appends a string; bytes that are no UTF-8 become U+FFFD.
func (j *buffer) str(name, s string) {
	j.Name(name)
	j.String(s)
}

// text is str for bytes.
func (j *buffer) text(name string, s []byte) {
	j.Name(name)
	j.Text(s)
}

// strOrNull appends a string, null for an empty one.
func (j *buffer) strOrNull(name, s string) {
	if s == "" {
		j.null(name)
		return
	}
	j.str(name, s)
}

// textFrom appends a string that f appends and that needs no escapes: an
// address, or words of this program.
func (j *buffer) textFrom(name string, f func([]byte) []byte) {
	j.Name(name)
	j.Sep()
	j.B = append(j.B, '"')
	j.B = f(j.B)
	j.B = append(j.B, '"')
}
