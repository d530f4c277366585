package hdr

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// mostSegments is how many segments of one chunk nearly every responder takes.
const mostSegments = 16

func hdr016() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-016", Title: "Chunk lists beyond the interoperable minimum",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning: "A call offers more than one Write chunk, Read chunks at more than one Position above 0, or more than 16 " +
			"segments in one chunk. All this is legal.",
		Why: "Several servers take one Read chunk and one Write chunk only, Linux before 5.11 among them, and " +
			"refuse the rest with ERR_CHUNK. An operation then works with one server and fails with another.",
		Advice: "If the responder refused the call, let the client send fewer chunks: one READ or WRITE in a COMPOUND, or " +
			"larger registrations. Otherwise keep it in mind when the server is changed.",
		Reference: "RFC 8267, section 6.4.2",
		Limits: "Told once the RPC is over: it is a warning if the call was refused with ERR_CHUNK or RDMA2_ERR_BAD_XDR, and is not told where the " +
			"responder took such a call before on the same connection.",
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.WithChunks, rpc016)},
		Fires: []rules.Sample{
			{Name: "two Write chunks for two READs", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH{object="fh"} READ{count=100} READ{count=100}]
				    write 0x1001 100
				    write 0x1002 100
				    want HDR-016
				reply 1 [PUTFH READ{data=bytes(100)} READ{data=bytes(100)}]
				disconnect`},
			{Name: "a server refuses two Write chunks", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH{object="fh"} READ{count=100} READ{count=100}]
				    write 0x1001 100
				    write 0x1002 100
				    want HDR-016
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "17 segments in a Read chunk", Scene: `
				connect
				call 1 NFS3 WRITE count=68 data=bytes(68)
				    read 1 4 2 4 3 4 4 4 5 4 6 4 7 4 8 4 9 4 10 4 11 4 12 4 13 4 14 4 15 4 16 4 17 4
				    want HDR-016
				reply 1 count=68
				disconnect`},
			{Name: "a server refuses two Write chunks of version 2", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS4 COMPOUND [PUTFH{object="fh"} READ{count=100} READ{count=100}]
				    write 0x1001 100
				    write 0x1002 100
				    want HDR-016 28+52
				error 2 BAD_XDR
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "one Write chunk of version 2, which is refused", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=100
				    write 0x1001 100
				error 2 BAD_XDR
				disconnect`},
			{Name: "one Write chunk and one Reply chunk", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH{object="fh"} READ{count=100}]
				    write 0x1001 100
				    replychunk 0x1002 4096
				reply 1 [PUTFH READ{data=bytes(100)}]
				disconnect`},
			{Name: "a long call with one Read chunk beside the Position-Zero one, of 16 segments", Scene: `
				connect
				call 1 NFS3 WRITE count=64 data=bytes(64)
				    long 100 300
				    read 1 4 2 4 3 4 4 4 5 4 6 4 7 4 8 4 9 4 10 4 11 4 12 4 13 4 14 4 15 4 16 4
				reply 1 count=64
				disconnect`},
		},
	}
}

// A shape is how many chunks a call has, as far as that matters.
type shape struct{ writes, positions, segments int }

// shapeOf counts the chunks of a call and the segments of its largest.
func shapeOf(h *rpcrdma.Header) (s shape) {
	s.writes = len(h.Writes)
	for _, w := range h.Writes {
		s.segments = max(s.segments, w.Count)
	}
	if h.HasReply {
		s.segments = max(s.segments, h.Reply.Count)
	}
	for i := range h.NumReadChunks() {
		position, list := h.ReadChunk(i)
		if position != 0 {
			s.positions++
		}
		s.segments = max(s.segments, len(list))
	}
	return s
}

func (s shape) modest() bool { return s.writes <= 1 && s.positions <= 1 && s.segments <= mostSegments }

func rpc016(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if r.Call == nil || len(r.Call.Header.Reads) <= 1 && len(r.Call.Header.Segments) <= 1 || r.Call.Header.Fault.Bad() {
		return
	}
	s := shapeOf(&r.Call.Header)
	if s.modest() {
		return
	}
	responder := r.Requester.Peer()
	t := &of(c).taken[responder]
	known := s.writes <= max(t.writes, 1) && s.positions <= max(t.positions, 1) && s.segments <= max(t.segments, mostSegments)
	refused := r.Reply != nil && r.Reply.Header.Proc == rpcrdma.RDMAError && r.Reply.Header.Error == rpcrdma.ErrChunk // or BAD_XDR, its equivalent
	if r.Reply != nil && !r.Reply.Header.Fault.Bad() && r.Reply.Header.Proc != rpcrdma.RDMAError {
		t.writes, t.positions, t.segments = max(t.writes, s.writes), max(t.positions, s.positions), max(t.segments, s.segments)
	}
	if known {
		return
	}
	told, what := say, ""
	if refused {
		told, what = say.As(rules.Warning), "; the "+c.Sender(responder)+" refused it with "+r.Reply.Header.ErrorName()+", most likely for its limits"
	}
	if f := told.Part("", r, r.Call, ""); f != nil {
		tellShape(f, r.Call, s, what)
	}
}

// tellShape says what of a shape is more than the minimum, and where it stands.
func tellShape(f *rules.Finding, m *dissect.Message, s shape, what string) {
	h := &m.Header
	text := ""
	add := func(format string, n int) {
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf(format, n)
	}
	if s.writes > 1 {
		add("%d Write chunks", s.writes)
		f.See("Write chunks", s.writes, "at most 1 everywhere").In(m, h.WriteAt(0), h.ReplyAt()-h.WriteAt(0))
	}
	if s.positions > 1 {
		add("%d Read chunks", s.positions)
		f.See("Read chunks", s.positions, "at most 1 everywhere").In(m, h.ListsAt(), h.WriteAt(0)-h.ListsAt())
	}
	if s.segments > mostSegments {
		add("%d segments in a chunk", s.segments)
		f.See("segments in a chunk", s.segments, "at most 16 everywhere")
		if s.writes <= 1 && s.positions <= 1 {
			f.In(m, h.ListsAt(), h.Length-h.ListsAt())
		}
	}
	f.Sayf("the call has %s%s", text, what)
}
