package v2

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// crossing is within how many nanoseconds an answer and a message may have crossed.
const crossing = int64(time.Millisecond)

// doubtCrossed is why a message may not know the answer before it.
const doubtCrossed = "it may have been sent before the answer arrived"

// negotiation is how the ends of a connection come to a version, until a call is answered.
type negotiation struct {
	c   *rules.Conn
	say rules.Reporter
	// over says that a request was answered, cut that a message was cut short, which may
	// be any answer.
	over, cut bool
	// first is the client's first message of version 2, asks whether that is a call, and
	// answered whether anything came back for it.
	first          rules.PastMessage
	asks, answered bool
	// open counts the client's messages that wait, without the first INIT_XCHAR; extra
	// is the first of them that had to wait.
	open, calls int
	init        bool
	extra       rules.PastMessage
	// answer is the server's first message that is no error, refused its first ERR_VERS,
	// odd its first other error of version 2, by the code of a version 1 error.
	answer, refused, otherError rules.PastMessage
}

// answers notes whether a message answers the first one.
func (t *negotiation) answers(m *dissect.Message) {
	t.cut = t.cut || !m.Whole
	if r := m.RPC(); m.Answer && r != nil && r.Call != nil && t.first.Seen() && r.Call.Frame() == t.first.Ref {
		t.answered = true
	}
}

func (t *negotiation) message(m *dissect.Message) {
	h, r := &m.Header, m.RPC()
	answers := m.Answer && r != nil && r.Call != nil
	failed := h.Proc == rpcrdma.RDMAError
	switch {
	case h.Version != rpcrdma.Version1 && !spoken(m):
		// HDR-002 has it, and what answers it.
	case t.c.ToServer(m.From):
		if !failed && !m.Answer {
			t.sends(m)
		}
	case failed:
		t.refuses(m)
	case !h.Fault.Bad():
		if !t.answer.Seen() {
			t.answer = pastWord(m, rpcrdma.AtVersion)
			t.reportEarly()
		}
		if answers {
			t.ignorant(m)
		}
		// What has the XID of a request of version 2 counts as its answer for HDR-002.
		t.over = answers || m.Optional() != nil || h.XID == t.first.XID && t.first.Seen()
	}
}

// sends takes a message of the client that is no answer.
func (t *negotiation) sends(m *dissect.Message) {
	h := &m.Header
	if spoken(m) && !t.first.Seen() {
		t.first, t.asks = pastWord(m, rpcrdma.AtVersion), m.Role() == dissect.RoleCall
		t.valid(m)
	}
	t.keeps(m)
	if t.answer.Seen() {
		return
	}
	if o := h.Option(); o != nil && o.Type == rpcrdma.InitXchar && !t.init {
		t.init = true
		return
	}
	if m.Role() == dissect.RoleCall {
		t.calls++
	}
	if t.open++; t.open > 1 && !t.extra.Seen() {
		t.extra = pastWord(m, rpcrdma.AtXID)
	}
}

// valid judges the first message of version 2.
func (t *negotiation) valid(m *dissect.Message) {
	h := &m.Header
	why := ""
	switch {
	case h.Fault.Bad():
		why = m.Malformed()
	case h.Proc == rpcrdma.RDMAMsg && m.Length-h.Length < leastRPC:
		why = "no RPC message follows its header"
	}
	if why == "" || !proven(t.c) {
		return
	}
	if f := t.say.Message("e", m, ""); f != nil {
		f.Messagef("the client's first message of version 2 is not valid: %s", why)
		f.See("first message", h.ProcName(), "a valid message").In(m, 0, m.Length)
	}
}

// keeps judges whether the client keeps to what was found.
func (t *negotiation) keeps(m *dissect.Message) {
	n, _ := t.c.Negotiation()
	v := m.Header.Version
	switch {
	case t.c.Disordered():
	case n.Agreed == 0 && n.Refused && before(&t.refused, m) && n.RefusedIn == t.refused.Ref && n.Low <= n.High && (v < n.Low || v > n.High):
		if f := t.say.Message("c", m, t.crossed(&t.refused, m)); f != nil {
			f.Messagef("the client continues with version %d, although the server supports only %s", v, rules.Versions(n.Low, n.High))
			f.See("rdma_vers", v, "one that the server supports").Word(m, rpcrdma.AtVersion).With(t.refused.Ref)
		}
	case n.Agreed == rpcrdma.Version2 && v != n.Agreed && before(&t.answer, m):
		if f := t.say.Message("d", m, t.crossed(&t.answer, m)); f != nil {
			f.Messagef("the client continues with version %d, although the server answered in version 2", v)
			f.See("rdma_vers", v, n.Agreed).Word(m, rpcrdma.AtVersion).With(t.answer.Ref)
		}
	}
}

// crossed is what is in doubt about a message after an answer.
func (t *negotiation) crossed(answer *rules.PastMessage, m *dissect.Message) string {
	if m.First-answer.Time < crossing {
		return doubtCrossed
	}
	return ""
}

// refuses takes an error of the server.
func (t *negotiation) refuses(m *dissect.Message) {
	h := &m.Header
	t.open = max(0, t.open-1)
	if h.Fault.Bad() {
		return
	}
	if h.Error == rpcrdma.ErrVers && !t.refused.Seen() {
		t.refused = pastWord(m, h.ErrorAt())
	}
	r := m.RPC()
	if n, _ := t.c.Negotiation(); n.Agreed != 0 || r == nil || !sound(t.c, r.Call) || !t.c.Paired(r) || !proven(t.c) {
		return
	}
	switch {
	case h.Version == rpcrdma.Version1:
		if f := t.say.Message("b", m, ""); f != nil {
			f.Messagef("the server answered a message of version 2 with %s in version 1", h.ErrorName())
			f.See("rdma_vers", h.Version, rpcrdma.Version2).Word(m, rpcrdma.AtVersion).With(r.Call.Frames...)
		}
	case spoken(m) && h.Error == rpcrdma.Err2BadXDR && !t.otherError.Seen():
		t.otherError = pastWord(m, h.ErrorAt())
	}
}

// ignorant judges a server that answers in version 1, by what it reported to version 2.
func (t *negotiation) ignorant(m *dissect.Message) {
	if m.Header.Version != rpcrdma.Version1 || !t.otherError.Seen() || t.refused.Seen() || !proven(t.c) {
		return
	}
	if f := t.say.Past("b", &t.otherError, ""); f != nil {
		f.Messagef("the server supports only version 1, but answered a message of version 2 with error %d instead of ERR_VERS", uint32(rpcrdma.ErrChunk))
		f.See("rdma_err", uint32(rpcrdma.ErrChunk), "1 (ERR_VERS)").With(m.Frames...)
	}
}

// reportEarly reports what the client sent too early.
func (t *negotiation) reportEarly() {
	if !t.extra.Seen() || t.calls > 1 || !proven(t.c) || t.answer.Seen() && t.answer.Ref.Compare(t.extra.Ref) < 0 {
		return
	}
	t.say.Past("a", &t.extra, "").
		Messagef("the client sent more than one message of version 2 before the server answered any").
		See("messages without an answer", t.open, finding.AtMost(1)).With(t.first.Ref)
}

func (t *negotiation) reportEnd() {
	if !t.answer.Seen() && t.c.WentOn(t.c.ClientEnd.Peer(), t.extra.Moment) {
		t.reportEarly()
	}
	n, _ := t.c.Negotiation()
	since := t.c.LastTime - t.first.Time
	if n.Agreed != rpcrdma.Version1 || !t.asks || t.answered || t.c.Limited(rules.AnyCut, t.cut) || t.refused.Seen() || !proven(t.c) || since < int64(t.c.Capture.Config.Stalled) {
		return
	}
	if f := t.say.NoAnswer("b", &t.first, ""); f != nil {
		f.Bytes = nil
		f.Messagef("the server answers calls of version 1, but has not answered one of version 2 for %s", rules.Duration(since))
		f.See("answer", "none", "ERR_VERS, or a reply").See("time without an answer", finding.Nanoseconds(since), nil)
		f.See("version of the call without an answer", uint32(rpcrdma.Version2), nil).See("version of those that were answered", uint32(n.Agreed), nil).With(n.AgreedIn)
	}
}
