package record

import (
	"github.com/rdmacap/rdmacap/dissect"
)

// rpc appends the members of an rpc record.
func (j *JSON) rpc(b *buffer, r *dissect.RPC) {
	j.words.Take(r)
	members(j, b, j.rpcs, r, (*JSON).rpcStructure)
}

// rpcStructure appends a member that has members of its own.
func (j *JSON) rpcStructure(b *buffer, name string, r *dissect.RPC) {
	switch name {
	case "connection":
		b.number(name, r.Connection)
	case "call":
		j.oneMessage(b, name, r.Call)
	case "reply":
		j.oneMessage(b, name, r.Reply)
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

// oneMessage appends one of the two messages.
func (j *JSON) oneMessage(b *buffer, name string, m *dissect.Message) {
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
