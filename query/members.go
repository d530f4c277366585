package query

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
)

// An RPCMember is a member of the record of an RPC.
type RPCMember struct {
	Field
	give func(r *dissect.RPC, to *filter.Values)
}

// RPCMembers are the members of the record of an RPC, in their order.
func RPCMembers() (members []RPCMember) {
	for _, e := range rpcs(nil, new(Start)) {
		if e.Member.Name != "" {
			members = append(members, RPCMember(e))
		}
	}
	slices.SortStableFunc(members, func(a, b RPCMember) int { return cmp.Compare(a.Member.Part, b.Member.Part) })
	return members
}

// Structured reports whether it has members of its own, so that it has no Value.
func (m *RPCMember) Structured() bool { return m.give == nil }

// Value is the member's value for an RPC, if it has one. It is in s, valid until the next.
func (m *RPCMember) Value(r *dissect.RPC, s *filter.Shown) (v *filter.Value, ok bool) {
	m.give(r, s.Of())
	if len(s.List) == 0 {
		return nil, false
	}
	return &s.List[0], true
}

// Type is what the member is, in words.
func (m *RPCMember) Type() string {
	t := m.Member.Type
	if t == "" {
		t = "number"
		switch {
		case m.Kind == filter.Bool:
			t = "boolean"
		case m.Kind == filter.String, m.Unit == Handle, m.Kind == filter.Enum && !m.Member.AsNumber:
			t = "string"
		}
		if m.Member.Absent == Null {
			t += " or null"
		}
	}
	return t
}
