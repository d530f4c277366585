package xchar

import (
	"cmp"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

// A suspect is a message that is judged when the connection is over: what excuses it may
// be missing from the capture.
type suspect struct {
	rules.PastMessage
	other      flow.Ref // what it is held against
	length     int      // of the Send
	was, bytes uint32   // receive buffer sizes: before, and now
}

// A limit is what an end keeps to since it asked the other for smaller buffers, 0 for none.
type limit struct {
	bytes uint32
	frame flow.Ref
	xid   uint32
}

// resizing looks at how the receive buffers of a connection change.
type resizing struct {
	c        *rules.Conn
	say      rules.Reporter
	b        *operations
	received *setup.Received
	begun    bool
	sizes    [2]size  // of each end
	limits   [2]limit // of what each end sends
	// lowered are the first UPD_XCHAR of each end that lowers its size, crossed the
	// first larger Sends to it, over those that an end sent though it asked for less.
	lowered, crossed, over [2]suspect
	failed                 suspect // a Send that was refused after a raise
	text                   string  // with which words
	doubt                  string
}

// doubtInvalid is why a NAK may have another reason.
const doubtInvalid = "an invalid request may have reasons other than its length"

// resizingOf is that of a connection, in the hands of a rule that says so.
func resizingOf(c *rules.Conn, report rules.Reporter) *resizing {
	w := &state.Of(c).resizing
	w.c, w.say, w.b, w.received = c, report, operationsOf(c), setup.ReceivedOf(c)
	return w
}

func (w *resizing) event(e *event) {
	if !w.begun {
		w.begun = true
		for i := range w.sizes { // nothing was announced before
			w.sizes[i] = size{bytes: rpcrdma.Version2Threshold, known: !w.c.BeganLate()}
		}
	}
	if e.op == nil {
		w.answered(e)
		return
	}
	switch {
	case e.op.kind == rpcrdma.ReqXchar:
		w.asked(e)
	case !e.op.sound || e.op.count > len(e.op.items):
		w.sizes[e.m.From&1].known = false
	default:
		e.each(func(_ int, x *item) {
			if x.id == rpcrdma.XcharRBSIZ {
				w.changed(e, x)
			}
		})
		w.answered(e)
	}
}

// asked takes a request for smaller buffers.
func (w *resizing) asked(e *event) {
	l := &w.limits[e.m.From&1]
	for i := range e.op.items {
		if x := &e.op.items[i]; e.op.sound && x.id == rpcrdma.XcharRBSIZ && (l.bytes == 0 || x.value < l.bytes) {
			*l = limit{x.value, e.m.Frame(), e.m.Header.XID}
		}
	}
}

// answered lifts the limit of an end whose request got another answer than that the
// change is pending: a change that is done counts as the size, and is no limit more.
func (w *resizing) answered(e *event) {
	l := &w.limits[e.m.From.Peer()&1]
	if e.to == nil || e.to.kind != rpcrdma.ReqXchar || e.to.XID != l.xid {
		return
	}
	still := false
	if e.op != nil {
		e.elements(e.option.Pending, func(_ int, x *item) { still = still || x.id == rpcrdma.XcharRBSIZ })
	}
	if !still {
		l.bytes = 0
	}
}

// changed takes a size that an end announced.
func (w *resizing) changed(e *event, x *item) {
	m := e.m
	s := &w.sizes[m.From&1]
	s.set(m, e.op.kind, x)
	// The limit of who asked is in force as the size now, or a larger one is.
	w.limits[m.From.Peer()&1].bytes = 0
	if y := &w.lowered[m.From&1]; e.op.kind == rpcrdma.UpdXchar && s.frame == m.Frame() && s.lowered() && !y.Seen() {
		at := e.option.Start + e.option.Characteristics[0].Start
		*y = suspect{PastMessage: rules.PastPart(m, at, 4), was: s.from, bytes: s.bytes}
	}
}

func (w *resizing) message(m *dissect.Message) {
	if !w.begun || m.Header.Version != rpcrdma.Version2 {
		return
	}
	s, l, length := &w.sizes[m.From.Peer()&1], &w.limits[m.From&1], uint64(m.Length)
	if s.raised() && length > uint64(s.from) && s.first == (flow.Ref{}) {
		s.first = m.Frame()
	}
	x := suspect{PastMessage: rules.Past(m), length: m.Length}
	if y := &w.crossed[m.From.Peer()&1]; !y.Seen() && s.lowered() && s.by == rpcrdma.UpdXchar && length > uint64(s.bytes) && length <= uint64(s.from) &&
		!w.received.Knows(m.From, s.change()) {
		*y = x
		y.From = m.From.Peer() // at whose fault it is
		y.other, y.was, y.bytes = s.frame, s.from, s.bytes
	}
	// What is more than the receiver takes at all is THRESH-005's.
	if y := &w.over[m.From&1]; !y.Seen() && l.bytes > 0 && length > uint64(l.bytes) && (!s.known || length <= uint64(s.bytes)) {
		x.other, x.bytes, x.Bytes = l.frame, l.bytes, m.Place(nil, int(l.bytes), m.Length-int(l.bytes))
		*y = x
	}
}

// refused judges a Send that is refused after a raise.
func (w *resizing) refused(s *requests.Request, r *requests.Refusal) {
	if !w.begun || s.Version != rpcrdma.Version2 || !r.OfLength() || s.Invalidates {
		return
	}
	x := &w.sizes[s.From.Peer()&1]
	if !x.raised() || x.first != s.Frame || uint64(s.Length) > uint64(x.bytes) {
		return
	}
	w.doubt = doubtInvalid
	if r.TooLong {
		w.doubt = ""
	}
	w.text = r.Text
	w.failed = suspect{other: s.Frame, length: s.Length, was: x.from, bytes: x.bytes}
	w.failed.PastMessage = rules.PastMessage{Moment: flow.Moment{Ref: r.Frame, Time: r.Time}, From: r.From, XID: s.XID}
	if r.Place.Length > 0 {
		w.failed.Bytes = []flow.Place{r.Place}
	}
}

// reportEnd judges what was suspect.
func (w *resizing) reportEnd() {
	if !w.begun {
		return
	}
	if x := &w.failed; x.Seen() {
		w.fill("d", x, x.From, w.doubt).
			Messagef("the %s refused a Send of %d bytes with %s, although it had raised its receive buffer size from %d to %d", w.c.Sender(x.From), x.length,
				w.text, x.was, x.bytes).
			See("Send length", x.length, finding.AtMost(x.bytes))
	}
	for e := range flow.End(2) {
		peer := e.Peer()
		if x := &w.lowered[e]; x.Seen() && w.c.WentOn(peer, x.Moment) && !w.b.wanted(peer, x.bytes) {
			w.fill("a", x, peer, "").
				Messagef("the %s lowered its receive buffer size from %d to %d, but the %s did not request that", w.c.Sender(e), x.was, x.bytes, w.c.Sender(peer)).
				See("XCHAR_RBSIZ", x.bytes, finding.AtLeast(x.was))
		}
		if x := &w.crossed[e]; x.Seen() && !w.b.wanted(peer, x.bytes) {
			w.fill("b", x, e, "").
				Messagef("the %s lowered its receive buffer size to %d bytes while a Send of %d was in flight", w.c.Sender(e), x.bytes, x.length).
				See("Send length", x.length, finding.AtMost(x.bytes))
		}
		if x := &w.over[e]; x.Seen() && w.c.WentOn(peer, x.Moment) {
			w.fill("c", x, peer, "").
				Messagef("the %s requested receive buffers of %d bytes, but sent %d before that was rejected", w.c.Sender(e), x.bytes, x.length).
				See("Send length", x.length, finding.AtMost(x.bytes))
		}
	}
}

// fill says what a suspect did, which something that an end did not send, as far as is known, might excuse.
func (w *resizing) fill(letter string, x *suspect, missing flow.End, doubt string) *rules.Finding {
	lacks, ok := w.b.lacking(missing, x.Ref)
	if !ok {
		return nil
	}
	f := w.say.Past(letter, &x.PastMessage, cmp.Or(doubt, lacks))
	if f != nil && x.other != (flow.Ref{}) {
		f.With(x.other)
	}
	return f
}

// wanted reports whether an end may have asked for receive buffers of so many bytes, or
// fewer.
func (b *operations) wanted(e flow.End, length uint32) bool {
	for op := range b.list[e&1].All() {
		if op.kind != rpcrdma.ReqXchar {
			continue
		}
		if !op.sound || op.count > len(op.items) {
			return true
		}
		for k := range op.items {
			if x := &op.items[k]; x.id == rpcrdma.XcharRBSIZ && x.value <= length {
				return true
			}
		}
	}
	return b.forgot(e)
}
