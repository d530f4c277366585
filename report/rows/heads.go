package rows

import (
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/lines"
)

// frameHead appends what a row begins with: number, time, connection.
func (t *Text) frameHead(b *draft.Blank) {
	t.date(b.Time)
	t.heading(colFrame, "Source → destination", []lines.Column{colLength, colOpCode, colDestQP, colPSN}, "Contents")
	t.timeOfDay(b.Time)
	t.frameNumber(b.Ref)
	t.time(b.Time)
	t.conn(b.Conn)
	t.mark = len(t.B)
}

// messageHead appends what a row begins with: number, time, peers.
func (t *Text) messageHead(b *draft.Blank) {
	t.wide = t.wide || b.Wide
	t.date(b.Time)
	t.heading(colFrame, "Sender → receiver", []lines.Column{colXID, t.procedure(), colCredits, colHeader, colSend}, "Chunks and RPC")
	t.timeOfDay(b.Time)
	t.frameNumber(b.Ref)
	t.time(b.Time)
	t.peersOf(b.Conn, b.From)
}

// procedure is the column of procedures.
func (t *Text) procedure() lines.Column {
	c := colProc
	if t.wide {
		c.Width = len("RDMA2_OPTIONAL")
	}
	return c
}

// rpcHead appends what a row begins with: number, time, peers.
func (t *Text) rpcHead(b *draft.Blank) {
	t.date(b.Time)
	t.heading(colNo, "Requester → responder", []lines.Column{colXID, colProcedure, colTravelled, colCall, colReply, colLatency}, "Status and operations")
	t.timeOfDay(b.Time)
	t.UintCell(colNo, t.rpcs)
	t.time(b.Time)
	t.peersOf(b.Conn, b.From)
}
