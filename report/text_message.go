package report

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
)

var (
	colXID     = column{"XID", 10, false}
	colProc    = column{"Procedure", 10, false}
	colCredits = column{"Credits", 7, true}
	colHeader  = column{"Header [B]", 10, true}
	colSend    = column{"Length [B]", 10, true}
)

// messageRow appends one RPC-over-RDMA message: number of its last frame,
// time, peers, XID, procedure, credits, lengths, chunks, what the RPC is.
func (t *Text) messageRow(m *dissect.Message) {
	h := &m.Header
	t.place(blank{what: blankMessage, ref: m.Frame(), time: m.Last, conn: m.Connection, from: m.From, wide: h.Version == rpcrdma.Version2})
	t.xid(h.XID)
	t.place(blank{what: blankMark})
	t.b = append(t.b, h.ProcName()...)
	t.place(blank{what: blankProcedure})
	t.uintCell(colCredits, uint64(h.Credits))
	t.uintCell(colHeader, uint64(h.Length))
	t.uintCell(colSend, uint64(m.Length))
	if m.HasInvalidated {
		t.b = append(t.b, "invalidates "...)
		t.b = appendHandle(t.b, m.Invalidated)
		t.b = append(t.b, ", "...)
	}
	t.contents(m)
}

// messageHead appends what a row begins with: number, time, peers.
func (t *Text) messageHead(b *blank) {
	t.wide = t.wide || b.wide
	t.heading(colFrame, "Sender → receiver", []column{colXID, t.procedure(), colCredits, colHeader, colSend}, "Chunks and RPC")
	t.frameNumber(b.ref)
	t.time(b.time)
	t.peersOf(b.conn, b.from)
}

// procedure is the column of procedures.
func (t *Text) procedure() column {
	c := colProc
	if t.wide {
		c.width = len("RDMA2_OPTIONAL")
	}
	return c
}

// messageInFrame appends the message that a frame completes to the frame's row.
func (t *Text) messageInFrame(m *dissect.Message) {
	h := &m.Header
	const fixed = 16 // octets of the words that every header has
	if m.Length < fixed {
		t.b = appendCount(t.b, int64(m.Length), "octet")
		t.faults(m)
		return
	}
	t.b = append(t.b, h.ProcName()...)
	t.b = append(t.b, " XID "...)
	t.b = appendHandle(t.b, h.XID)
	t.b = append(t.b, ", "...)
	t.b = appendCount(t.b, int64(m.Length), "octet")
	t.b = append(t.b, ", "...)
	t.b = appendCount(t.b, int64(h.Credits), "credit")
	t.b = append(t.b, ", "...)
	t.contents(m)
}

// contents appends the chunks of a message, what its RPC message is, and what
// is wrong with it.
func (t *Text) contents(m *dissect.Message) {
	h := &m.Header
	at := len(t.b)
	if h.InvHandle != 0 && !m.Answer {
		t.b = append(t.b, "may be invalidated: "...)
		t.b = appendHandle(t.b, h.InvHandle)
		t.b = append(t.b, ", "...)
	}
	t.chunkLists(m)
	switch {
	case m.HasRPC && m.Answer:
		t.b = append(t.b, t.style.name.on...)
		t.b = append(t.b, "reply "...)
		t.b = appendReplyStatus(t.b, &m.ReplyHeader)
		t.b = append(t.b, t.style.name.off...)
		t.carried(m)
	case m.HasRPC:
		t.b = append(t.b, t.style.name.on...)
		t.b = append(t.b, "call "...)
		t.b = dissect.AppendCallName(t.b, &m.CallHeader, !m.ToServer())
		t.b = append(t.b, t.style.name.off...)
		t.carried(m)
	case h.Proc == rpcrdma.RDMAError:
		t.b = append(t.b, t.style.bad.on...)
		t.b = appendError(t.b, h)
		t.b = append(t.b, t.style.bad.off...)
	case h.Option() != nil:
		t.b = appendOption(t.b, m)
	case len(t.b) > at:
		t.b = t.b[:len(t.b)-len(", ")]
	}
	t.faults(m)
}

// faults appends what is wrong with a message, or missing of it.
func (t *Text) faults(m *dissect.Message) {
	if bad := m.Malformed(); bad != "" {
		t.bracket(t.style.bad, bad)
	}
	if !m.Whole {
		t.b = append(t.b, "  ["...)
		t.b = append(t.b, t.style.odd.on...)
		t.b = append(t.b, "incomplete: "...)
		t.b = append(t.b, m.Missing...)
		t.b = append(t.b, t.style.odd.off...)
		t.b = append(t.b, ']')
	}
}

// carried appends what the arguments or the result are about.
func (t *Text) carried(m *dissect.Message) {
	body := m.Body()
	if body == nil {
		return
	}
	at := len(t.b)
	t.b = append(t.b, ": "...)
	if t.b = view.AppendSummary(t.b, &body.Walker); len(t.b) == at+len(": ") {
		t.b = t.b[:at]
	}
}

// xid appends the column of the transaction.
func (t *Text) xid(v uint32) {
	t.b = appendHandle(t.b, v)
	t.b = append(t.b, gap...)
}

// chunkLists appends the chunks, as in "read chunk at 112 of 262144 octets in
// 2 segments, ", with a comma after each.
func (t *Text) chunkLists(m *dissect.Message) {
	h := &m.Header
	for i := range h.NumReadChunks() {
		position, segments := h.ReadChunk(i)
		length := uint64(0)
		for _, s := range segments {
			length += uint64(s.Length)
		}
		t.b = append(t.b, "read chunk at "...)
		t.b = strconv.AppendUint(t.b, uint64(position), 10)
		t.chunk(length, len(segments))
	}
	for _, c := range h.Writes {
		t.b = append(t.b, "write chunk"...)
		t.chunk(h.ChunkLength(c), c.Count)
	}
	if h.HasReply {
		t.b = append(t.b, "reply chunk"...)
		t.chunk(h.ChunkLength(h.Reply), h.Reply.Count)
	}
}

func (t *Text) chunk(length uint64, segments int) {
	t.b = append(t.b, " of "...)
	t.b = appendCount(t.b, int64(length), "octet")
	if segments != 1 {
		t.b = append(t.b, " in "...)
		t.b = appendCount(t.b, int64(segments), "segment")
	}
	t.b = append(t.b, ", "...)
}

// appendError appends what an RDMA_ERROR says.
func appendError(b []byte, h *rpcrdma.Header) []byte {
	b = append(b, h.ErrorName()...)
	switch {
	case h.Error == rpcrdma.ErrVers:
		b = appendVersions(b, h.VersLow, h.VersHigh)
	case h.Version == rpcrdma.Version2 && h.Error == rpcrdma.Err2CantReply:
		b = appendShortage(b, h)
	}
	return b
}
