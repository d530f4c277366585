package record

import (
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/query"
)

// members appends the members of a row's record, as package query lists them. Structure
// appends one that has members of its own.
func members[T any](j *JSON, b *buffer, list []query.RecordMember[T], row T, structure func(j *JSON, b *buffer, name string, row T)) {
	for i := 0; i < len(list); i++ {
		m := &list[i]
		if is, pass := m.Gate(row); is {
			i += pass
			continue
		}
		if m.Structured() {
			structure(j, b, m.Member.Name, row)
		} else if number, text, ok := m.Value(row, &j.shown); ok {
			b.Key(m.Key)
			if m.Worded() {
				b.Words(text)
			} else {
				value(b, &m.Field, number, text)
			}
		} else {
			absent(b, m.Key, &m.Field)
		}
	}
}

// value appends a value: a number, or where it has one a text.
func value(b *buffer, f *query.Field, number uint64, text string) {
	switch f.Kind {
	case filter.Bool:
		b.Bool(number != 0)
	case filter.String:
		b.String(text)
	case filter.Time:
		b.time("", int64(number))
	case filter.Int, filter.Duration:
		b.Int(int64(number))
	case filter.Enum:
		switch {
		case f.Member.AsNumber:
			b.Uint(number)
		case text != "":
			b.Words(text)
		default:
			b.Words(f.Spell(number))
		}
	default:
		switch f.Unit {
		case query.Handle:
			b.handle("", uint32(number))
		case query.Offset:
			b.hex("", number, 16)
		default:
			b.Uint(number)
		}
	}
}

// absent appends what stands for a value that a row does not have.
func absent(b *buffer, key string, f *query.Field) {
	switch f.Member.Absent {
	case query.Null:
		b.Key(key)
		b.Null()
	case query.Empty:
		b.Key(key)
		b.String("")
	case query.Zero:
		b.Key(key)
		value(b, f, 0, "")
	}
}
