package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func trans008() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Disordered), rules.SilentOrLikelyIf(rules.LostSince.From(rules.Responder)).Since("the oldest open RDMA Read"), rules.LowerIf(rules.BeganLate)},
		Needs:       []rules.Knowledge{wires(), reading()},
		On:          []rules.Event{onRead(read008), rules.OnEnd(end008)},
	}
}

// excess is what an end asked for beyond its limit, as it was at the most.
type excess struct {
	times       int
	open, limit int
	unknown     bool // what the limit is
	at          flow.Moment
	place       flow.Place
	oldest      flow.Ref // of the open ones
	xid         uint32
	hasXID      bool
	doubt       string
}

func read008(c *rules.Conn, a *dissect.Access, _ rules.Reporter) {
	reads := readsOf(c)
	open := reads.open(a.From) // more than one: nobody issues one where none is allowed, but CM-006 would tell
	limit, known := depth(c, a.From)
	unknown := !known && c.BeganLate()
	if unknown {
		limit = c.Capture.Config.OpenReads
	}
	if !known && !unknown || open <= limit {
		return
	}
	oldest := reads.oldest(a.From).ref
	if peer := c.LastSeen(a.From ^ 1).New.Ref; peer.Number > 0 && peer.File != oldest.File {
		return
	}
	responder, doubt := a.From^1, ""
	if c.LostAnyOf(responder, oldest) {
		// A response has no number of its own over InfiniBand, so that no message is missing where one is.
		if doubt = finding.DoubtLoss; (c.IWARP() || !c.LostOf(responder, oldest)) && !c.Accounted(responder, 0) {
			return
		}
	}
	x := &rules.Some(&state.Of(c).excesses)[a.From&1]
	if x.times++; x.times > 1 && open <= x.open && !(x.unknown && !unknown) {
		return
	}
	*x = excess{x.times, open, limit, unknown, flow.Moment{Ref: a.Place.Ref, Time: a.Time}, a.Place, oldest, 0, false, doubt}
	if a.RPC != nil {
		x.xid, x.hasXID = a.RPC.XID, true
	}
}

// end008 reports it: by now it is known whether the responses were captured in step
// with the requests.
func end008(c *rules.Conn, report rules.Reporter) {
	ends := ifAny(c).excesses
	if ends == nil {
		return
	}
	for end := range flow.End(2) {
		x := &ends[end]
		if _, known := depth(c, end); x.times > 0 && !c.Disordered() && !(x.unknown && known) {
			x.report(c, report, end)
		}
	}
}

// report reports it.
func (x *excess) report(c *rules.Conn, report rules.Reporter, from flow.End) {
	if x.unknown {
		report = report.As(finding.Note)
	}
	f := report.Moment("", x.at.Ref, x.at.Time, &from, x.doubt)
	if f == nil {
		return
	}
	f.XID, f.HasXID = x.xid, x.hasXID
	f.At(x.place).With(x.oldest)
	if x.unknown {
		f.Messagef("the %s has up to %s open; the limit was agreed on before the capture began", c.Sender(from), field.Counted(x.open, "RDMA Read"))
		f.See("open RDMA Reads", x.open, nil).See("times", x.times, nil)
		return
	}
	f.Messagef("the %s has up to %s open; the limit is %d", c.Sender(from), field.Counted(x.open, "RDMA Read"), x.limit)
	f.See("open RDMA Reads", x.open, finding.AtMost(x.limit)).See("times", x.times, nil)
	told := &c.Handshake.Declared
	f.See("initiator depth (ORD) of the "+c.Sender(from), told[from].Issues.Value, nil)
	f.See("responder resources (IRD) of the "+c.Sender(from^1), told[from^1].Takes.Value, nil)
}
