package record

import (
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/query"
)

// members appends the members of a row's record, as package query lists them. Structure
// appends one that has members of its own.
func members[T any](j *JSON, b *buffer, list []query.RecordMember[T], row T, structure func(j *JSON, b *buffer, name string, row T)) {
	for i := 0; i < len(list); i++ {
		m := &list[i]
		if n := m.Skip(row); n > 0 {
			i += n - 1
			continue
		}
		if m.Structured() {
			structure(j, b, m.Member.Name, row)
		} else if v, ok := m.Value(row, &j.shown); ok {
			value(b, &m.Field, v)
		} else {
			absent(b, &m.Field)
		}
	}
}

// value appends a member that is one value.
func value(b *buffer, f *query.Field, v *filter.Value) {
	name := f.Member.Name
	switch f.Kind {
	case filter.Bool:
		b.bool(name, v.Number != 0)
	case filter.String:
		b.str(name, v.Str)
	case filter.Time:
		b.time(name, int64(v.Number))
	case filter.Int, filter.Duration:
		b.int(name, int64(v.Number))
	case filter.Enum:
		switch {
		case f.Member.AsNumber:
			b.uint(name, v.Number)
		case v.Str != "":
			b.str(name, v.Str)
		default:
			b.str(name, f.Spell(v.Number))
		}
	default:
		if f.Unit == query.Handle {
			b.handle(name, uint32(v.Number))
		} else {
			b.uint(name, v.Number)
		}
	}
}

// absent appends what stands for a value that a row does not have.
func absent(b *buffer, f *query.Field) {
	switch f.Member.Absent {
	case query.Null:
		b.null(f.Member.Name)
	case query.Empty:
		b.str(f.Member.Name, "")
	case query.Zero:
		value(b, f, &filter.Value{})
	}
}
