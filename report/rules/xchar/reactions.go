package xchar

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/rules"
)

// patience is how long an end may take to react.
const patience = 5 * time.Second

// doubtKnown is why a receiver may have been right to refuse a characteristic.
const doubtKnown = "the receiver may know the characteristic, and find its bytes invalid"

// mostSilent is how many messages without a reaction are remembered of each end.
const mostSilent = 8

// reactions looks at what an end does about messages of the other that are unusual.
type reactions struct {
	c   *rules.Conn
	b   *operations
	say rules.Reporter
	// responds says that an end answered a REQ_XCHAR with a RESP_XCHAR; knows are the
	// characteristics that it announced, as bits.
	responds [2]bool
	knows    [2]uint8
	// open are messages that cannot be decoded and that the other has not answered.
	open [2][]operation
}

// reactionsOf are those of a connection, in the hands of a rule that says so.
func reactionsOf(c *rules.Conn, report rules.Reporter) *reactions {
	w := &state.Of(c).reactions
	w.c, w.say, w.b = c, report, operationsOf(c)
	return w
}

func (w *reactions) event(e *event) {
	if op := e.op; op != nil {
		if op.kind == rpcrdma.InitXchar || op.kind == rpcrdma.UpdXchar {
			for i := range op.items {
				if x := &op.items[i]; x.decoded {
					w.knows[op.From&1] |= 1 << x.id
				}
			}
		}
		if list := &w.open[op.From&1]; len(*list) < mostSilent && (op.fault == "a" || op.fault == "b" || op.fault == "c") {
			kept := *op
			kept.items = nil
			*list = append(*list, kept)
		}
	}
	if e.to == nil {
		return
	}
	for i := range w.open[e.to.From&1] {
		if x := &w.open[e.to.From&1][i]; x.Ref == e.to.Ref && x.XID == e.to.XID {
			x.fault = "" // there was a reaction
		}
	}
	if e.op == nil {
		w.refused(e)
		return
	}
	w.took(e)
	w.omitted(e)
	w.responds[e.m.From&1] = true
}

// refused judges an error for an operation in which nothing is wrong.
func (w *reactions) refused(e *event) {
	to, m := e.to, e.m
	if !to.clean || to.stranger < 0 || to.stranger >= len(to.items) {
		return
	}
	doubt := ""
	switch code := m.Header.Error; {
	case code == rpcrdma.Err2BadXDR:
		doubt = doubtKnown
	case code != rpcrdma.Err2InvalidOption || to.kind != rpcrdma.ReqXchar || !w.responds[m.From&1]:
		return
	}
	if f := w.say.Message("a", m, doubt); f != nil {
		id := to.items[to.stranger].id
		f.Messagef("the %s answered the %s's %v with %s; nothing in it is unusual except %v, which is undefined", w.c.Sender(m.From), w.c.Sender(m.From.Peer()), to.kind, m.Header.ErrorName(), id)
		f.See("rdma_err", m.Header.ErrorName(), "none").See("xchv_which", uint32(id), nil).With(to.Ref).Word(m, m.Header.ErrorAt())
	}
}

// took judges a RESP_XCHAR to a REQ_XCHAR that cannot be decoded.
func (w *reactions) took(e *event) {
	to, o := e.to, e.option
	at := -1
	switch to.fault {
	case "a":
	case "b", "c":
		for i := range to.items {
			if x := &to.items[i]; x.id == to.faulty && !x.decoded && (o.Has(o.Done, i) || o.Has(o.Pending, i)) {
				at = i
			}
		}
		if _, ok := orderOf(o, to.count); at < 0 || !ok {
			return
		}
	default:
		return
	}
	f := w.say.Message("b", e.m, "")
	if f == nil {
		return
	}
	f.Messagef("the %s answered a REQ_XCHAR that cannot be decoded as if nothing were wrong with it", w.c.Sender(e.m.From))
	f.See("answer", o.Type.String(), "RDMA2_ERR_BAD_XDR").With(to.Ref)
	s := o.Done
	if at >= 0 && !o.Has(s, at) {
		s = o.Pending
	}
	f.In(e.m, o.Start+s.Start, 4+4*s.Words)
}

// omitted judges a RESP_XCHAR that ends at a characteristic which is not known.
func (w *reactions) omitted(e *event) {
	to, o := e.to, e.option
	if !to.clean || !e.op.sound || to.stranger < 0 || to.stranger == to.count-1 || to.count > mostElements {
		return
	}
	d := leastFirst.disposes(o, to.count)
	if d.beyond >= 0 || d.nowhere < to.stranger || to.count-d.nowhere != d.lacking || d.nowhere > to.stranger+1 {
		return // what it says nothing of is not all that stands after, or from there on
	}
	if f := w.say.Message("c", e.m, ""); f != nil {
		f.Messagef("the %s's RESP_XCHAR has no disposition for %s after number %d, which is undefined", w.c.Sender(e.m.From),
			field.Counted(to.count-to.stranger-1, "characteristic"), to.stranger)
		f.See("characteristics requested", to.count, nil).See("without disposition", d.lacking, 0).With(to.Ref).In(e.m, o.Start, len(o.Info))
	}
}

// reportEnd reports messages that had to draw an error and drew nothing.
func (w *reactions) reportEnd() {
	c := w.c
	for e := range w.open {
		for i := range w.open[e] {
			x := &w.open[e][i]
			receiver := flow.End(e).Peer()
			if x.fault == "" || x.faulty != 0 && w.knows[receiver&1]>>x.faulty&1 == 0 {
				continue
			}
			if !w.b.silent(receiver, x) {
				continue
			}
			w.say.NoAnswer("b", &x.PastMessage, "").
				Messagef("the %s sent no error for the %s's %v, which cannot be decoded", c.Sender(receiver), c.Sender(receiver.Peer()), x.kind).
				See("answer", "none", "RDMA2_ERR_BAD_XDR")
		}
	}
}
