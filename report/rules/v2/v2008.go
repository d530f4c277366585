package v2

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func v2008() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Unpaired, rules.Cut), rules.LikelyIf(rules.LostSince.From(rules.Requester)).In("ab")},
		Speaks:      rules.Version2,
		On:          []rules.Event{rules.OnMessage(rules.OtherVersion, message008), rules.OnRPC(rules.OtherVersion, rpc008)},
	}
}

func message008(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if !sound(c, m) {
		return
	}
	switch r := m.RPC(); {
	case r == nil:
	case r.Call == m && lists(m):
		if s := state.Of(c).shortages.findShortage(m.From, r.XID); s != nil {
			s.again = m.Frame()
			retried(c, report, s, m)
		}
	case m.Header.Proc == rpcrdma.RDMAError && m.Header.Error == rpcrdma.Err2CantReply && answers(c, r):
		segment(c, report, m, &r.Call.Header)
		*state.Of(c).shortages.Add(mostShortages) = shortage{requester: r.Requester, xid: r.XID, frame: m.Frame(), room: roomOf(&r.Call.Header), processed: m.Header.Processed}
	}
}

func rpc008(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	w := &state.Of(c).shortages
	if w.Len() == 0 || r.Call == nil {
		return
	}
	s := w.findShortage(r.Requester, r.XID)
	if s == nil || s.again != r.Call.Frame() {
		return
	}
	s.over = true
	if r.Complete && sound(c, r.Reply) && r.Reply.Header.Proc != rpcrdma.RDMAError && c.Paired(r) {
		needless(c, report, s, r)
	}
}

// segment judges which segment a CANT_REPLY means, and what it needs.
func segment(c *rules.Conn, report rules.Reporter, m *dissect.Message, call *rpcrdma.Header) {
	h := &m.Header
	n, index := uint32(len(call.Segments)), h.SegmentIndex
	switch at := h.ErrorAt() + 2*xdr.WordSize; {
	case index == 0:
	case index > n:
		if f := report.Message("a", m, doubtCall(c, m.RPC())); f != nil {
			f.Messagef("the %s's CANT_REPLY refers to segment %d, but the call has %d", c.Sender(m.From), index, n)
			f.See("rdma_segment_index", index, fmt.Sprintf("at most %d", n)).Word(m, at).With(m.RPC().Call.Frames...)
		}
	case h.LengthNeeded <= call.Segments[index-1].Length:
		if f := report.Message("b", m, doubtCall(c, m.RPC())); f != nil {
			length := call.Segments[index-1].Length
			f.Messagef("the %s's CANT_REPLY requests %d bytes in segment %d, which already has %d", c.Sender(m.From), h.LengthNeeded, index, length)
			f.See("rdma_length_needed", h.LengthNeeded, fmt.Sprintf("above %d", length)).Word(m, at+xdr.WordSize).With(m.RPC().Call.Frames...)
		}
	}
}

// retried judges a call that comes again after a CANT_REPLY.
func retried(c *rules.Conn, report rules.Reporter, s *shortage, m *dissect.Message) {
	now := roomOf(&m.Header)
	if !now.larger(&s.room) {
		if f := report.Message("d", m, ""); f != nil {
			f.Messagef("the %s retried the call after CANT_REPLY with no more room for the reply", c.Sender(m.From))
			now.show(f, &s.room).With(s.frame).Word(m, rpcrdma.AtXID)
		}
		return
	}
	twice := ""
	if h := &m.CallHeader; s.processed && m.HasRPC && h.Program == rpc.ProgramNFS {
		twice = values.NonIdempotent(h.Version, h.Procedure)
	}
	if twice != "" {
		report = report.As(finding.Warning)
	}
	if f := report.Message("e", m, ""); f != nil {
		f.Messagef("the %s retried the call after CANT_REPLY with more room for the reply", c.Sender(m.From))
		if twice != "" {
			f.Message += ": " + twice + " was executed before, and must not be executed twice"
		}
		now.show(f, &s.room).With(s.frame).Word(m, rpcrdma.AtXID)
	}
}

// doubtReckoned is why a reply may be shorter than the responder thought.
const doubtReckoned = "the responder may have based its answer on the largest reply that the call allows"

// needless looks whether the reply to a call that came again would have fitted what
// the first one offered.
func needless(c *rules.Conn, report rules.Reporter, s *shortage, r *dissect.RPC) {
	h := r.ReplyHeader()
	if h == nil || h.Denied || h.Accept != rpc.Success || len(r.Reply.Header.Writes) != s.room.chunks {
		return
	}
	if status, ok := r.Status(); !ok && status != "" {
		return // an error is short
	}
	if used := roomOf(&r.Reply.Header); used.larger(&s.room) {
		return
	}
	doubt := ""
	if !s.processed {
		doubt = doubtReckoned
	}
	if f := report.RPC("c", r, doubt); f != nil {
		used := roomOf(&r.Reply.Header)
		f.Messagef("the reply would have fitted the room that the call offered when the %s answered CANT_REPLY", c.Sender(r.Reply.From))
		f.See("room used in Write chunks", used.written(), nil).See("room in Write chunks at first", s.room.written(), nil)
		f.See("room used in the Reply chunk", used.reply, nil).See("room in the Reply chunk at first", s.room.reply, nil).With(s.frame)
	}
}
