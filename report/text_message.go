package report

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// messageRow appends one RPC-over-RDMA message: number of its last frame,
// time, peers, XID, procedure, credits, lengths, chunks, what the RPC is.
func (t *Text) messageRow(m *dissect.Message) {
	if t.rows == 0 {
		t.heading("  Frame        Time  ", "Sender → receiver", "XID         Procedure    Credits  Header  Length  Chunks and RPC")
	}
	t.rows++
	t.number(m.Frame().Number)
	t.time(m.Last)
	t.peersOf(m.Connection, m.From)
	t.message(m)
}

// message appends what a row says of a message.
func (t *Text) message(m *dissect.Message) {
	h := &m.Header
	t.b = appendHandle(t.b, h.XID)
	t.b = append(t.b, "  "...)
	at := len(t.b)
	t.b = append(t.b, h.Proc.String()...)
	t.b = pad(t.b, at, 11, false)
	t.column(uint64(h.Credits), 9)
	t.column(uint64(h.Length), 8)
	t.column(uint64(m.Length), 8)
	t.b = append(t.b, "  "...)
	t.chunkLists(m)
	if m.HasRPC {
		t.b = append(t.b, t.style.name.on...)
		if m.Answer {
			t.b = append(t.b, "reply "...)
			t.b = append(t.b, m.ReplyHeader.Status()...)
		} else {
			t.b = appendCallName(t.b, &m.CallHeader, !m.ToServer())
		}
		t.b = append(t.b, t.style.name.off...)
	} else if h.Proc == rpcrdma.RDMAError {
		t.b = t.style.bad.append(t.b, h.Error.String())
	}
	if m.HasInvalidated {
		t.b = append(t.b, "  invalidates "...)
		t.b = appendHandle(t.b, m.Invalidated)
	}
	if bad := m.Malformed(); bad != "" {
		t.b = append(t.b, "  "...)
		t.b = t.style.bad.append(t.b, "malformed: "+bad)
	}
	if !m.Whole {
		t.b = append(t.b, "  "...)
		t.b = t.style.odd.append(t.b, "incomplete: "+m.Missing)
	}
}

// column appends a number, right-aligned.
func (t *Text) column(v uint64, width int) {
	at := len(t.b)
	t.b = strconv.AppendUint(t.b, v, 10)
	t.b = pad(t.b, at, width, true)
}

// chunkLists appends the chunks: "read@112 262144 (2 segments), write 4096, ".
func (t *Text) chunkLists(m *dissect.Message) {
	h := &m.Header
	for i := range h.NumReadChunks() {
		position, segments := h.ReadChunk(i)
		t.b = append(t.b, "read@"...)
		t.b = strconv.AppendUint(t.b, uint64(position), 10)
		length := uint64(0)
		for _, s := range segments {
			length += uint64(s.Length)
		}
		t.chunk(length, len(segments))
	}
	for _, c := range h.Writes {
		t.b = append(t.b, "write"...)
		t.chunk(h.ChunkLength(c), c.Count)
	}
	if h.HasReply {
		t.b = append(t.b, "reply chunk"...)
		t.chunk(h.ChunkLength(h.Reply), h.Reply.Count)
	}
}

func (t *Text) chunk(length uint64, segments int) {
	t.b = append(t.b, ' ')
	t.b = strconv.AppendUint(t.b, length, 10)
	if segments != 1 {
		t.b = append(t.b, " in "...)
		t.b = strconv.AppendInt(t.b, int64(segments), 10)
		t.b = append(t.b, " segments"...)
	}
	t.b = append(t.b, ", "...)
}
