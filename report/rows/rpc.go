package rows

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/words"
)

// rpcRow appends one RPC: number, time, peers, XID, procedure, how it
// travelled, sizes of call and reply, latency, status.
func (t *Text) rpcRow(r *dissect.RPC) {
	t.place(draft.Blank{What: draft.RPC, Conn: r.Connection, From: r.Requester, Time: r.Start()})
	if c := t.opts.Columns; c != nil {
		c.RPC(r)
		t.cells()
		return
	}
	t.xid(r.XID)
	t.B = append(t.B, t.Style.Name.On...)
	at := len(t.B)
	t.words.Take(r)
	t.B = r.AppendName(t.B, t.words.Ops)
	t.EndCell(at, colProcedure)
	t.B = append(t.B, t.Style.Name.Off...)
	at = len(t.B)
	t.B = words.AppendTravel(t.B, r)
	t.EndCell(at, colTravelled)
	t.size(r.Call, colCall)
	t.size(r.Reply, colReply)
	at = len(t.B)
	if ns, ok := r.Latency(); ok {
		t.B = field.AppendDuration(t.B, ns)
	} else {
		t.B = append(t.B, '-')
	}
	t.EndCell(at, colLatency)
	t.status(r)
}

// size appends the length of an RPC message as the upper layer saw it.
func (t *Text) size(m *dissect.Message, c lines.Column) {
	if m == nil || m.RPCLength == 0 {
		t.Cell(c, "-")
		return
	}
	t.UintCell(c, m.RPCLength)
}

// status appends how the RPC ended, and what is missing of it.
func (t *Text) status(r *dissect.RPC) {
	i := t.Style.Bad
	switch s := r.ReplyHeader(); {
	case s != nil && s.Status() == "SUCCESS":
		i = t.Style.Good
		if name, ok := r.Status(); name != "" && !ok {
			i = t.Style.Odd
		}
	case s == nil && !r.Complete:
		i = t.Style.Odd
	}
	t.B = append(t.B, i.On...)
	t.B = words.AppendStatus(t.B, r)
	t.B = append(t.B, i.Off...)
	at := len(t.B)
	t.B = append(t.B, lines.Gap...)
	if t.B = t.words.AppendOperations(t.B, r); len(t.B) == at+len(lines.Gap) {
		t.B = t.B[:at]
	}
	if !r.Complete && r.Reply != nil {
		t.B = append(t.B, "  ["...)
		t.B = append(t.B, t.Style.Odd.On...)
		t.B = append(t.B, "incomplete: "...)
		t.B = append(t.B, r.Missing...)
		t.B = append(t.B, t.Style.Odd.Off...)
		t.B = append(t.B, ']')
	}
	if bad := r.Undecodable(); bad != "" {
		t.Bracket(t.Style.Bad, bad)
	}
}
