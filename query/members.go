package query

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
)

// A RecordMember is a member of the JSON record of a row.
type RecordMember[T any] struct {
	Field
	give func(row T, to *filter.Values)
	only *condition[T]
	rest int // members from here on with the same condition
}

// RPCMembers are the members of the record of an RPC, in their order.
func RPCMembers() []RecordMember[*dissect.RPC] {
	members := membersOf(rpcs(nil, new(Start)))
	slices.SortStableFunc(members, func(a, b RecordMember[*dissect.RPC]) int { return cmp.Compare(a.Member.Part, b.Member.Part) })
	return members
}

// MessageMembers are the members of the record of a message, in their order.
func MessageMembers() []RecordMember[*dissect.Message] { return membersOf(messages(new(Start))) }

func membersOf[T any](l list[T]) (members []RecordMember[T]) {
	for _, e := range l {
		if e.Member.Name != "" {
			members = append(members, RecordMember[T]{e.Field, e.give, e.only, 1})
		}
	}
	for i := len(members) - 2; i >= 0; i-- {
		if m, next := &members[i], &members[i+1]; m.only != nil && m.only == next.only {
			m.rest += next.rest
		}
	}
	return members
}

// Skip is how many members, from this one on, records of the row do not have.
func (m *RecordMember[T]) Skip(row T) int {
	if m.only == nil || m.only.holds(row) {
		return 0
	}
	return m.rest
}

// Structured reports whether it has members of its own, so that it has no Value.
func (m *RecordMember[T]) Structured() bool { return m.give == nil }

// Value is the member's value for a row, if it has one. It is in s, valid until the next.
func (m *RecordMember[T]) Value(row T, s *filter.Shown) (v *filter.Value, ok bool) {
	m.give(row, s.Of())
	if len(s.List) == 0 {
		return nil, false
	}
	return &s.List[0], true
}

// Type is what the member is, in words.
func (m *RecordMember[T]) Type() string {
	t := m.Member.Type
	if t == "" {
		t = "number"
		switch {
		case m.Kind == filter.Bool:
			t = "boolean"
		case m.Kind == filter.String, m.Kind == filter.Time, m.Unit == Handle, m.Kind == filter.Enum && !m.Member.AsNumber:
			t = "string"
		}
		if m.Member.Absent == Null {
			t += " or null"
		}
	}
	return t
}
