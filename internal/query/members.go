package query

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
)

// A RecordMember is a member of the JSON record of a row, or a gate before some.
type RecordMember[T any] struct {
	entry[T]
	// Key is its name as it stands before the value, in quotes, with a colon; "" for a gate.
	Key    string
	behind int // members after a gate
}

// RPCMembers are the members of the record of an RPC, in their order.
func RPCMembers() []RecordMember[*dissect.RPC] {
	members := membersOf(rpcs(nil, new(Start)))
	slices.SortStableFunc(members, func(a, b RecordMember[*dissect.RPC]) int { return cmp.Compare(a.Member.Part, b.Member.Part) })
	return members
}

// MessageMembers are the members of the record of a message, in their order.
func MessageMembers() []RecordMember[*dissect.Message] { return membersOf(messages(new(Start))) }

// FrameMembers are the members of the record of a frame, in their order.
func FrameMembers() []RecordMember[*dissect.FrameView] {
	return membersOf(frames(new(Start), new(Parts)))
}

func membersOf[T any](l list[T]) (members []RecordMember[T]) {
	for i := 0; i < len(l); i++ {
		switch e := l[i]; {
		case e.gate != nil:
			behind := membersOf(l[i+1 : i+1+e.gate.n])
			members = append(append(members, RecordMember[T]{entry: e, behind: len(behind)}), behind...)
			i += e.gate.n
		case e.Member.Name != "":
			members = append(members, RecordMember[T]{entry: e, Key: `"` + e.Member.Name + `":`})
		}
	}
	return members
}

// Gate reports whether it is none, but says whether records of some rows have the members after
// it, and if so how many to pass over for a row.
func (m *RecordMember[T]) Gate(row T) (is bool, pass int) {
	if m.gate == nil {
		return false, 0
	}
	if m.gate.open(row) {
		return true, 0
	}
	return true, m.behind
}

// Structured reports whether it has members of its own, so that it has no Value.
func (m *RecordMember[T]) Structured() bool { return m.number == nil && m.text == nil && m.give == nil }

// Worded reports whether its text, if it has one, is in words of this program, which need no escapes.
func (m *RecordMember[T]) Worded() bool { return m.text != nil }

// Value is the member's value for a row, if it has one: a number, or the text of a String, or of an
// Enum's value that has another name than Spell's. S is room for it.
func (m *RecordMember[T]) Value(row T, s *filter.Shown) (number uint64, text string, ok bool) {
	switch {
	case m.number != nil:
		number, ok = m.number(row)
		return number, "", ok
	case m.text != nil:
		text = m.text(row)
		return 0, text, text != ""
	}
	m.give(row, s.Of())
	if len(s.List) == 0 {
		return 0, "", false
	}
	return s.List[0].Number, s.List[0].Str, true
}

// Type is what the member is, in words.
func (m *RecordMember[T]) Type() string {
	t := m.Member.Type
	if t == "" {
		t = "number"
		switch {
		case m.Kind == filter.Bool:
			t = "boolean"
		case m.Kind == filter.String, m.Kind == filter.Time, m.Unit == Handle, m.Unit == Offset, m.Kind == filter.Enum && !m.Member.AsNumber:
			t = "string"
		}
		if m.Member.Absent == Null {
			t += " or null"
		}
	}
	return t
}
