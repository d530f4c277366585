package dataset

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/draft"
)

// A row is written value by value, in the order of its columns: a byte 0 for what is not there;
// else a number as 1 and a varint, a text as its length and 1 more in front of it, a group as
// 1 and its columns, a list as its length and its elements. An ordinal is decimal, and a space.
type row struct {
	b     *[]byte
	leave func(draft.Placeholder)
	shown filter.Shown
	files int
	room  []byte // for a text that is being made
}

func (w *row) null() { *w.b = append(*w.b, 0) }

func (w *row) there() { *w.b = append(*w.b, 1) }

func (w *row) number(v int64) {
	*w.b = binary.AppendVarint(append(*w.b, 1), v)
}

// text appends what JSON would have: bytes that are no UTF-8 become U+FFFD.
func (w *row) text(s string) {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	*w.b = append(binary.AppendUvarint(*w.b, uint64(len(s))+1), s...)
}

// bytes is text of bytes.
func (w *row) bytes(s []byte) {
	if !utf8.Valid(s) {
		w.text(string(s))
		return
	}
	*w.b = append(binary.AppendUvarint(*w.b, uint64(len(s))+1), s...)
}

func (w *row) length(n int) { *w.b = binary.AppendUvarint(*w.b, uint64(n)) }

// connection appends the number of a connection, which may be nil.
func (w *row) connection(c *dissect.Connection) {
	if c != nil {
		w.leave(draft.Placeholder{At: len(*w.b), What: draft.Number, Conn: c})
	}
	*w.b = append(*w.b, ' ')
}

// place appends a frame, and its file if there are several.
func (w *row) place(r flow.Ref) {
	w.number(r.Number)
	w.file(r)
}

func (w *row) file(r flow.Ref) {
	if w.files > 1 {
		w.number(int64(r.File))
	} else {
		w.null()
	}
}

func (w *row) numbers(list []int64) {
	w.length(len(list))
	for _, v := range list {
		*w.b = binary.AppendVarint(*w.b, v)
	}
}

// frames appends frames, and the file of each if there are several.
func (w *row) frames(list []flow.Ref) {
	w.length(len(list))
	for _, r := range list {
		*w.b = binary.AppendVarint(*w.b, r.Number)
	}
	if w.files < 2 {
		list = nil
	}
	w.length(len(list))
	for _, r := range list {
		*w.b = binary.AppendVarint(*w.b, int64(r.File))
	}
}

// members appends the members of a record, each as nodes has it. Structure appends one that has
// members of its own.
func members[T any](w *row, list []query.RecordMember[T], of T, structure func(m *query.RecordMember[T], of T)) {
	for i := 0; i < len(list); i++ {
		m := &list[i]
		if is, pass := m.Gate(of); is {
			for range pass {
				if i++; list[i].Key != "" {
					w.null()
				}
			}
			continue
		}
		if m.Structured() {
			structure(m, of)
		} else if v, s, ok := m.Value(of, &w.shown); ok {
			w.value(&m.Field, v, s)
		} else {
			w.absent(&m.Field)
		}
	}
}

// value appends a value: a number, or where it has one a text.
func (w *row) value(f *query.Field, v uint64, s string) {
	switch {
	case f.Kind == filter.String:
		w.text(s)
	case f.Kind == filter.Time && v == 0:
		w.null() // a file may have no times
	case f.Kind == filter.Enum && !f.Member.AsNumber && s != "":
		w.text(s)
	case f.Kind == filter.Enum && !f.Member.AsNumber:
		w.text(f.Spell(v))
	case digitsOf(f) != 0:
		w.hex(v, digitsOf(f))
	default:
		w.number(int64(v))
	}
}

// digitsOf is how many hexadecimal digits the numbers of a field have, 0 if they are not written as such.
func digitsOf(f *query.Field) int {
	switch f.Kind {
	case filter.Bool, filter.String, filter.Int, filter.Duration, filter.Time, filter.Enum:
		return 0
	}
	switch f.Unit {
	case query.Handle:
		return 8
	case query.Offset:
		return 16
	}
	return 0
}

func (w *row) hex(v uint64, digits int) {
	*w.b = append(*w.b, byte(digits)+3)
	*w.b = field.AppendHex(*w.b, v, digits)
}

// absent appends what stands for a value that there is not.
func (w *row) absent(f *query.Field) {
	switch f.Member.Absent {
	case query.Empty:
		w.text("")
	case query.Zero:
		w.value(f, 0, "")
	default:
		w.null()
	}
}
