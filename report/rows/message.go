package rows

import (
	"cmp"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/words"
)

// ofMessages are the columns of RPC-over-RDMA messages.
func ofMessages() []column[*dissect.Message] {
	number := func(name, field, title, doc string, when int, of func(m *dissect.Message) uint64) column[*dissect.Message] {
		return column[*dissect.Message]{
			head:  head{Column: lines.Column{Name: title, Width: len(title), Right: true}, name: name, field: field, doc: doc, when: when},
			write: func(t *Text, m *dissect.Message) { t.B = strconv.AppendUint(t.B, of(m), 10) },
		}
	}
	return []column[*dissect.Message]{
		{head: fileOfFrame()},
		{head: numberOfFrame("number of its last frame in its file")},
		{head: timeOfRow("when its last frame was captured, in the format of --time")},
		{head: sinceRow()},
		{head: connectionOfRow()},
		directionOf("receiver", func(m *dissect.Message) (bool, bool) { return m.ToServer(), true }),
		{
			head:  head{Column: lines.Column{Name: "XID", Width: 10}, name: "xid", field: "rdma.xid", doc: "XID"},
			write: func(t *Text, m *dissect.Message) { t.B = words.AppendHandle(t.B, m.Header.XID) },
		},
		{
			head: head{Column: lines.Column{Name: "Procedure", Width: 10}, name: "proc", field: "rdma.proc", doc: "procedure of the transport header", pads: true},
			write: func(t *Text, m *dissect.Message) {
				t.place(draft.Placeholder{What: draft.Mark})
				t.B = append(t.B, m.Header.ProcName()...)
				t.place(draft.Placeholder{What: draft.Procedure})
			},
		},
		number("credits", "rdma.credits", "Credits", "credits requested or granted", 0, func(m *dissect.Message) uint64 { return uint64(m.Header.Credits) }),
		number("length", "rdma.length", "Length [B]", "bytes of the Send", 1, func(m *dissect.Message) uint64 { return uint64(m.Length) }),
		number("header", "rdma.header_length", "Header [B]", "bytes of the transport header", 2, func(m *dissect.Message) uint64 { return uint64(m.Header.Length) }),
		{head: peersOfRow("Sender → receiver", "sender and receiver", 3)},
		{
			head: head{Column: lines.Column{Name: "Chunks and RPC", Width: 60}, name: "contents", doc: "its chunks, and the RPC message"},
			write: func(t *Text, m *dissect.Message) {
				if m.HasInvalidated {
					t.B = append(t.B, "invalidates "...)
					t.B = words.AppendHandle(t.B, m.Invalidated)
					t.B = append(t.B, ", "...)
				}
				t.contents(m)
			},
		},
	}
}

// messageInFrame appends the message that a frame completes to the frame's row.
func (t *Text) messageInFrame(m *dissect.Message) {
	h := &m.Header
	const fixed = 16 // bytes of the words that every header has
	if m.Length < fixed {
		t.B = words.AppendCount(t.B, int64(m.Length), "byte")
		t.faults(m)
		return
	}
	t.B = append(t.B, h.ProcName()...)
	t.B = append(t.B, " XID "...)
	t.B = words.AppendHandle(t.B, h.XID)
	t.B = append(t.B, ", "...)
	t.B = words.AppendCount(t.B, int64(m.Length), "byte")
	t.B = append(t.B, ", "...)
	t.B = words.AppendCount(t.B, int64(h.Credits), "credit")
	t.B = append(t.B, ", "...)
	t.contents(m)
}

// contents appends the chunks of a message, what its RPC message is, and what
// is wrong with it.
func (t *Text) contents(m *dissect.Message) {
	h := &m.Header
	at := len(t.B)
	if h.InvHandle != 0 && !m.Answer {
		t.B = append(t.B, "may be invalidated: "...)
		t.B = words.AppendHandle(t.B, h.InvHandle)
		t.B = append(t.B, ", "...)
	}
	t.chunkLists(m)
	switch {
	case m.HasRPC && m.Answer:
		t.B = append(t.B, t.Style.Name.On...)
		t.B = append(t.B, "reply "...)
		t.B = words.AppendReplyStatus(t.B, &m.ReplyHeader)
		t.B = append(t.B, t.Style.Name.Off...)
		t.carried(m)
	case m.HasRPC:
		t.B = append(t.B, t.Style.Name.On...)
		t.B = append(t.B, "call "...)
		t.B = dissect.AppendCallName(t.B, &m.CallHeader, !m.ToServer())
		t.B = append(t.B, t.Style.Name.Off...)
		t.carried(m)
	case h.Proc == rpcrdma.RDMAError:
		t.B = append(t.B, t.Style.Bad.On...)
		t.B = words.AppendError(t.B, h)
		t.B = append(t.B, t.Style.Bad.Off...)
	case h.Option() != nil:
		t.B = words.AppendOption(t.B, m)
	case len(t.B) > at:
		t.B = t.B[:len(t.B)-len(", ")]
	}
	t.faults(m)
}

// faults appends what is wrong with a message, or missing of it.
func (t *Text) faults(m *dissect.Message) {
	if bad := cmp.Or(m.Malformed(), m.Undecodable()); bad != "" {
		t.Bracket(t.Style.Bad, bad)
	}
	if !m.Whole {
		t.B = append(t.B, "  ["...)
		t.B = append(t.B, t.Style.Odd.On...)
		t.B = append(t.B, "incomplete: "...)
		t.B = append(t.B, m.Missing...)
		t.B = append(t.B, t.Style.Odd.Off...)
		t.B = append(t.B, ']')
	}
}

// carried appends what the arguments or the result are about.
func (t *Text) carried(m *dissect.Message) {
	body := m.Body()
	if body == nil {
		return
	}
	at := len(t.B)
	t.B = append(t.B, ": "...)
	if t.B = view.AppendSummary(t.B, &body.Walker); len(t.B) == at+len(": ") {
		t.B = t.B[:at]
	}
}

// chunkLists appends the chunks, as in "read chunk at 112 of 262144 bytes in
// 2 segments, ", with a comma after each.
func (t *Text) chunkLists(m *dissect.Message) {
	h := &m.Header
	for i := range h.NumReadChunks() {
		position, segments := h.ReadChunk(i)
		length := uint64(0)
		for _, s := range segments {
			length += uint64(s.Length)
		}
		t.B = append(t.B, "read chunk at "...)
		t.B = strconv.AppendUint(t.B, uint64(position), 10)
		t.chunk(length, len(segments))
	}
	for _, c := range h.Writes {
		t.B = append(t.B, "write chunk"...)
		t.chunk(h.ChunkLength(c), c.Count)
	}
	if h.HasReply {
		t.B = append(t.B, "reply chunk"...)
		t.chunk(h.ChunkLength(h.Reply), h.Reply.Count)
	}
}

func (t *Text) chunk(length uint64, segments int) {
	t.B = append(t.B, " of "...)
	t.B = words.AppendCount(t.B, int64(length), "byte")
	if segments != 1 {
		t.B = append(t.B, " in "...)
		t.B = words.AppendCount(t.B, int64(segments), "segment")
	}
	t.B = append(t.B, ", "...)
}
