package record

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/query"
)

// rpc appends the members of an rpc record: those that query.RPCMembers lists.
func (j *JSON) rpc(b *buffer, r *dissect.RPC) {
	j.words.Take(r)
	for i := range j.members {
		if m := &j.members[i]; m.Structured() {
			j.structure(b, m.Member.Name, r)
		} else {
			j.member(b, m, r)
		}
	}
}

// member appends a member that is one value.
func (j *JSON) member(b *buffer, m *query.RPCMember, r *dissect.RPC) {
	name := m.Member.Name
	v, ok := m.Value(r, &j.shown)
	if !ok {
		switch m.Member.Absent {
		case query.Null:
			b.null(name)
		case query.Empty:
			b.str(name, "")
		}
		return
	}
	switch {
	case m.Kind == filter.Bool:
		b.bool(name, v.Number != 0)
	case m.Kind == filter.String:
		b.str(name, v.Str)
	case m.Kind == filter.Duration:
		b.int(name, int64(v.Number))
	case m.Unit == query.Handle:
		b.handle(name, uint32(v.Number))
	case m.Kind == filter.Enum && !m.Member.AsNumber:
		b.str(name, m.Spell(v.Number))
	default:
		b.uint(name, v.Number)
	}
}

// structure appends a member that has members of its own.
func (j *JSON) structure(b *buffer, name string, r *dissect.RPC) {
	switch name {
	case "connection":
		b.number(name, r.Connection)
	case "call":
		j.half(b, name, r.Call)
	case "reply":
		j.half(b, name, r.Reply)
	case "ops":
		b.list(name)
		for i := range j.words.Ops {
			b.object("")
			b.str("op", j.words.Ops[i].Name)
			b.str("status", j.words.Ops[i].Status)
			b.Close('}')
		}
		b.Close(']')
	case "summary":
		j.words.Line = j.words.AppendSummary(j.words.Line[:0], r)
		b.text(name, j.words.Line)
	case "parts_ns":
		parts(b, name, r)
	case "frames":
		j.frames(b, r.Frames)
	}
}

// parts appends where the time went.
func parts(b *buffer, name string, r *dissect.RPC) {
	p, ok := r.Parts()
	if !ok {
		b.null(name)
		return
	}
	b.object(name)
	for x := range dissect.NumPhases {
		if ns, ok := p.Of(x); ok {
			b.int(x.String(), ns)
		} else {
			b.null(x.String())
		}
	}
	b.Close('}')
}

// half appends one of the two messages.
func (j *JSON) half(b *buffer, name string, m *dissect.Message) {
	if m == nil {
		b.null(name)
		return
	}
	b.object(name)
	j.message(b, m)
	b.uint("rpc_length", m.RPCLength)
	b.str("transfer", m.Transfer.String())
	b.Close('}')
}
