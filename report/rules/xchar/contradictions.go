package xchar

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// contradictions holds the traffic of a connection against what its ends announced.
type contradictions struct {
	c        *rules.Conn
	say      rules.Reporter
	b        *operations
	received *setup.Received
	memory   *memory.Ledger
	back     *values.BackChannel
	inits    [2]bool // which ends sent an INIT_XCHAR that can be decoded
	shared   int     // segments whose handle was another open call's
	// reverse is the first call of the server that the client does not support; support
	// is what that announced.
	reverse suspect
	support rpcrdma.ReverseSupport
}

// contradictionsOf are those of a connection, in the hands of a rule that says so.
func contradictionsOf(c *rules.Conn, report rules.Reporter) *contradictions {
	w := &state.Of(c).contradictions
	if w.back == nil {
		w.back = values.NewBackChannel()
	}
	w.c, w.say, w.b, w.received, w.memory = c, report, operationsOf(c), setup.ReceivedOf(c), memory.Of(c)
	return w
}

func (w *contradictions) event(e *event) {
	if e.op == nil {
		return
	}
	m := e.m
	w.inits[m.From&1] = w.inits[m.From&1] || e.op.kind == rpcrdma.InitXchar && e.op.sound
	if m.From == w.c.ClientEnd || !w.c.RolesKnown {
		return
	}
	e.each(func(n int, x *item) {
		if x.id != rpcrdma.XcharRQREMINV || x.value == 0 || e.op.kind == rpcrdma.RespXchar {
			return
		}
		if f := w.say.Message("f", m, ""); f != nil {
			f.Messagef("the server's %v announces XCHAR_RQREMINV TRUE", e.op.kind)
			f.See("XCHAR_RQREMINV", "TRUE", nil).Word(m, e.option.Start+e.option.Characteristics[n].Start)
		}
	})
}

func (w *contradictions) message(m *dissect.Message) {
	r := m.RPC()
	if r == nil || m.Header.Version != rpcrdma.Version2 || m.Header.Fault.Bad() || !w.c.RolesKnown {
		return
	}
	switch m.Role() {
	case dissect.RoleCall:
		w.handles(m)
		if m.From == w.c.ClientEnd {
			w.session(m)
		} else if !rules.Guessed(m) {
			w.reverseCall(m)
		}
	case dissect.RoleAnswer:
		if m.HasInvalidated && r.Call != nil {
			w.invalidated(m, r)
		}
	}
}

// announced is the value of a characteristic that an end announced before a message.
func (w *contradictions) announced(e flow.End, id rpcrdma.CharacteristicID, m *dissect.Message) (said dissect.Change, ok bool) {
	said, ok = w.c.Characteristics(e).At(id, m.Frames[0], m.First)
	return said, ok && said.Known
}

// chunked reports whether a call has chunks of any kind.
func chunked(h *rpcrdma.Header) bool { return len(h.Reads) > 0 || len(h.Writes) > 0 || h.HasReply }

// reverseCall judges a call of the server.
func (w *contradictions) reverseCall(m *dissect.Message) {
	client, h := w.c.ClientEnd, &m.Header
	if x, ok := w.received.Known(client, rpcrdma.XcharBRS, m.Frames[0], m.First); ok && !w.reverse.Seen() {
		if s := rpcrdma.ReverseSupport(x.Value); s == rpcrdma.ReverseNone || s == rpcrdma.ReverseSizeLimited && chunked(h) {
			w.support = s
			w.reverse = suspect{PastMessage: rules.PastPart(m, rpcrdma.AtXID, 4), other: x.Frame}
			if s == rpcrdma.ReverseSizeLimited {
				w.reverse.Bytes = chunks(m)
			}
		}
	}
	x, ok := w.announced(m.From, rpcrdma.XcharBRS, m)
	s := rpcrdma.ReverseSupport(x.Value)
	if !ok || s != rpcrdma.ReverseNone && (s != rpcrdma.ReverseSizeLimited || !chunked(h)) {
		return
	}
	if f := w.say.Message("e", m, w.changed()); f != nil {
		what := "without chunks"
		if chunked(h) {
			what = "with chunks"
		}
		f.Messagef("the server sends a callback %s, and so accepts the reply to one, but it announced %v", what, s).See("XCHAR_BRS", s.String(), nil).With(x.Frame)
	}
}

// chunks are the places of the chunks of a call.
func chunks(m *dissect.Message) []flow.Place {
	var f rules.Finding
	h := &m.Header
	for i := range h.Reads {
		f.ReadSegment(m, i)
	}
	for i := range h.Writes {
		f.WriteChunk(m, i)
	}
	if h.HasReply {
		f.ReplyChunk(m)
	}
	return f.Bytes
}

// changed is why what an end announced may have been changed since, "" if the capture has
// all of the connection.
func (w *contradictions) changed() string {
	if w.c.Lossy() {
		return finding.DoubtLoss
	}
	return ""
}

// session judges a call of the client that may make the connection one for callbacks.
func (w *contradictions) session(m *dissect.Message) {
	x, ok := w.announced(m.From, rpcrdma.XcharBRS, m)
	if !ok || rpcrdma.ReverseSupport(x.Value) != rpcrdma.ReverseNone || !m.HasRPC || !values.IsCompound(&m.CallHeader) {
		return
	}
	b := m.Body()
	if b == nil || !w.back.Asks(b) {
		return
	}
	if f := w.say.Message("d", m, w.changed()); f != nil {
		f.Messagef("the client requests a backchannel on the connection, but announced %v", rpcrdma.ReverseNone)
		f.See("XCHAR_BRS", rpcrdma.ReverseNone.String(), nil).With(x.Frame)
	}
}

// invalidated judges a reply that is a Send with Invalidate.
func (w *contradictions) invalidated(m *dissect.Message, r *dissect.RPC) {
	call := &r.Call.Header
	if call.Version != rpcrdma.Version2 || call.Fault.Bad() || call.InvHandle == 0 || !w.c.Paired(r) {
		return
	}
	doubt := w.c.DoubtOf(r.Requester, r.Call.Frame())
	x, said := w.announced(r.Requester, rpcrdma.XcharRQREMINV, r.Call)
	if said && x.Value != 0 {
		return
	}
	if !said { // nothing at all, of an end that announces
		if _, any := w.c.Characteristics(r.Requester).Now(rpcrdma.XcharRQREMINV); any || !w.inits[r.Requester&1] {
			return
		}
		if lacks, ok := w.b.lacking(r.Requester, r.Call.Frame()); !ok {
			return
		} else if lacks != "" {
			doubt = lacks
		}
	} else if !w.received.Knows(m.From, &x) {
		return
	}
	report, how := w.say, "not its rdma_inv_handle"
	if m.Invalidated == call.InvHandle {
		report, how = report.As(finding.Note), "as its rdma_inv_handle permits"
	}
	if f := report.Message("b", m, doubt); f != nil {
		f.Messagef("the %s invalidated handle %s of a call, %s; the %s did not announce XCHAR_RQREMINV TRUE", w.c.Sender(m.From), rules.Handle(m.Invalidated), how,
			w.c.Sender(r.Requester))
		f.See("XCHAR_RQREMINV", "FALSE", "TRUE").With(r.Call.Frames...)
	}
}

// handles looks for handles of a call that are no such as can be invalidated.
func (w *contradictions) handles(m *dissect.Message) {
	if !chunked(&m.Header) {
		return
	}
	x, ok := w.announced(m.From, rpcrdma.XcharRQREMINV, m)
	if !ok || x.Value == 0 {
		return
	}
	h := &m.Header
	for i := range h.Reads {
		w.handle(m, h.Reads[i].Segment, h.ReadSegmentAt(i))
	}
	for i := range h.Segments {
		w.handle(m, h.Segments[i], h.SegmentAt(i))
	}
}

func (w *contradictions) handle(m *dissect.Message, s rpcrdma.Segment, at int) {
	const pad = 4 // bytes of the longest segment that may be for XDR pads alone
	if s.Length <= pad {
		return
	}
	most, calls, open := w.c.Capture.Config.KeyUses, 1, false
	last := m.Frame()
	for g := w.memory.Newest(s.Handle); g != nil; g = g.Older() {
		if g.Call == last || g.Owner != m.From {
			continue
		}
		last = g.Call
		open = open || g.Over == memory.Live && g.Offset != s.Offset && !w.c.LostSince(g.Call)
		if g.Over != memory.Replied || g.Offset != s.Offset || g.Length != s.Length {
			break
		}
		calls++
	}
	if open {
		w.shared++
	}
	if calls <= most && w.shared <= most {
		return
	}
	if f := w.say.Message("c", m, ""); f != nil {
		how := "in sequence"
		if calls <= most {
			how, calls = "open at the same time, for different memory", w.shared
		}
		f.Messagef("the %s announced XCHAR_RQREMINV TRUE, but has handle %s in %d calls %s", w.c.Sender(m.From), rules.Handle(s.Handle), calls, how)
		f.See("calls with the handle", calls, most).In(m, at, rpcrdma.SegmentSize)
	}
}

// reportEnd reports a callback, once it is known that no other announcement is missing.
func (w *contradictions) reportEnd() {
	x, c := &w.reverse, w.c
	if !x.Seen() || !c.WentOn(c.ClientEnd, x.Moment) {
		return
	}
	doubt, ok := w.b.lacking(c.ClientEnd, x.Ref)
	if !ok {
		return
	}
	f := w.say.Past("a", &x.PastMessage, doubt)
	if f == nil {
		return
	}
	how := ""
	if w.support == rpcrdma.ReverseSizeLimited {
		how = " with chunks"
	}
	f.Messagef("the server sends a callback%s to a client that announced %v", how, w.support).See("XCHAR_BRS", w.support.String(), nil).With(x.other)
}
