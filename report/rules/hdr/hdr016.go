package hdr

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// mostSegments is how many segments of one chunk nearly every responder takes.
const mostSegments = 16

func hdr016() rules.Check {
	return rules.Check{
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.WithChunks, rpc016)},
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

func rpc016(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil || len(r.Call.Header.Reads) <= 1 && len(r.Call.Header.Segments) <= 1 || r.Call.Header.Fault.Bad() {
		return
	}
	s := shapeOf(&r.Call.Header)
	if s.modest() {
		return
	}
	responder := r.Requester.Peer()
	t := &state.Of(c).taken[responder]
	known := s.writes <= max(t.writes, 1) && s.positions <= max(t.positions, 1) && s.segments <= max(t.segments, mostSegments)
	refused := r.Reply != nil && r.Reply.Header.Proc == rpcrdma.RDMAError && r.Reply.Header.Error == rpcrdma.ErrChunk // or BAD_XDR, its equivalent
	if r.Reply != nil && !r.Reply.Header.Fault.Bad() && r.Reply.Header.Proc != rpcrdma.RDMAError {
		t.writes, t.positions, t.segments = max(t.writes, s.writes), max(t.positions, s.positions), max(t.segments, s.segments)
	}
	if known {
		return
	}
	told, what := report, ""
	if refused {
		told, what = report.As(finding.Warning), "; the "+c.Sender(responder)+" refused it with "+r.Reply.Header.ErrorName()+", most likely because of its own limits"
	}
	if f := told.Part("", r, r.Call, ""); f != nil {
		reportShape(f, r.Call, s, what)
	}
}

// reportShape says what of a shape is more than the minimum, and where it stands.
func reportShape(f *rules.Finding, m *dissect.Message, s shape, what string) {
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
		f.See("Write chunks", s.writes, "at most 1, to work with all servers").In(m, h.WriteAt(0), h.ReplyAt()-h.WriteAt(0))
	}
	if s.positions > 1 {
		add("%d Read chunks", s.positions)
		f.See("Read chunks", s.positions, "at most 1, to work with all servers").In(m, h.ListsAt(), h.WriteAt(0)-h.ListsAt())
	}
	if s.segments > mostSegments {
		add("%d segments in a chunk", s.segments)
		f.See("segments in a chunk", s.segments, "at most 16, to work with all servers")
		if s.writes <= 1 && s.positions <= 1 {
			f.In(m, h.ListsAt(), h.Length-h.ListsAt())
		}
	}
	f.Messagef("the call has %s%s", text, what)
}
