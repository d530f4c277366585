package report

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
)

var (
	colProcedure = column{"Procedure", 25, false}
	colTravelled = column{"Travelled", 23, false}
	colCall      = column{"Call [B]", 8, true}
	colReply     = column{"Reply [B]", 9, true}
	colLatency   = column{"Latency", 7, true}
)

// rpcRow appends one RPC: number, time, peers, XID, procedure, how it
// travelled, sizes of call and reply, latency, status.
func (t *Text) rpcRow(r *dissect.RPC) {
	t.place(blank{what: blankRPC, conn: r.Connection, from: r.Requester, time: r.Start()})
	t.xid(r.XID)
	t.b = append(t.b, t.style.name.on...)
	at := len(t.b)
	t.words.take(r)
	t.b = r.AppendName(t.b, t.words.ops)
	t.end(at, colProcedure)
	t.b = append(t.b, t.style.name.off...)
	at = len(t.b)
	t.b = appendTravel(t.b, r)
	t.end(at, colTravelled)
	t.size(r.Call, colCall)
	t.size(r.Reply, colReply)
	at = len(t.b)
	if ns, ok := r.Latency(); ok {
		t.b = field.AppendDuration(t.b, ns)
	} else {
		t.b = append(t.b, '-')
	}
	t.end(at, colLatency)
	t.status(r)
}

// rpcHead appends what a row begins with: number, time, peers.
func (t *Text) rpcHead(b *blank) {
	t.heading(colNo, "Requester → responder", []column{colXID, colProcedure, colTravelled, colCall, colReply, colLatency}, "Status and operations")
	t.uintCell(colNo, t.rpcs)
	t.time(b.time)
	t.peersOf(b.conn, b.from)
}

// size appends the length of an RPC message as the upper layer saw it.
func (t *Text) size(m *dissect.Message, c column) {
	if m == nil || m.RPCLength == 0 {
		t.cell(c, "-")
		return
	}
	t.uintCell(c, m.RPCLength)
}

// status appends how the RPC ended, and what is missing of it.
func (t *Text) status(r *dissect.RPC) {
	i := t.style.bad
	switch s := r.ReplyHeader(); {
	case s != nil && s.Status() == "SUCCESS":
		i = t.style.good
		if name, ok := r.Status(); name != "" && !ok {
			i = t.style.odd
		}
	case s == nil && !r.Complete:
		i = t.style.odd
	}
	t.b = append(t.b, i.on...)
	t.b = appendStatus(t.b, r)
	t.b = append(t.b, i.off...)
	at := len(t.b)
	t.b = append(t.b, gap...)
	if t.b = t.words.appendOperations(t.b, r); len(t.b) == at+len(gap) {
		t.b = t.b[:at]
	}
	if !r.Complete && r.Reply != nil {
		t.b = append(t.b, "  ["...)
		t.b = append(t.b, t.style.odd.on...)
		t.b = append(t.b, "incomplete: "...)
		t.b = append(t.b, r.Missing...)
		t.b = append(t.b, t.style.odd.off...)
		t.b = append(t.b, ']')
	}
}
