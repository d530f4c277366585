package credit

import (
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func credit012() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.BeganLate)},
		Needs:       []rules.Knowledge{accounts()},
		On:          []rules.Event{rules.OnOver(over012)},
	}
}

// over012 holds the overrun against the grant of the connection before, and remembers the
// grant of this one.
func over012(e *rules.ConnRef, c *rules.Conn, report rules.Reporter) {
	grants := &endedSlot.Of(e.CrossConnection).grants
	before, ok := grants.before(c)
	if k := state.IfAny(c); k != nil && ok && k.forward.overrun != nil && k.forward.overrun.proven && !c.BeganLate() {
		report012(c, report, k.forward.overrun, before)
	}
	if a := accountSlot.IfAny(c); a != nil {
		grants.note(c, a.forward().granted)
	}
}

func report012(c *rules.Conn, report rules.Reporter, o *overrun, before uint32) {
	if o.granted == 0 || uint32(o.limit) != o.granted || before <= o.granted || uint32(o.number) > before {
		return
	}
	from := c.ClientEnd
	if f := report.Moment("", o.call.Ref, o.call.Time, &from, accountOf(c).doubt()); f != nil {
		f.ForXID(o.call.xid)
		f.Messagef("the client has %s open, including this one, but the server granted %d; on the previous connection it granted %d", field.Counted(o.number, "call"), o.granted, before)
		f.See("open calls", o.number, finding.AtMost(o.limit)).See("rdma_credit, granted before", before, nil).At(o.call.place).With(o.grant.frame)
	}
}

// grants are the last grants to clients, by the hosts.
type grants struct{ last map[hosts]lastGrant }

// A lastGrant is what a server granted last on a connection that is over.
type lastGrant struct {
	granted uint32
	ended   int64 // nanoseconds since 1970
}

// before is the last grant on the connection of the same hosts that was over before this
// one began.
func (g *grants) before(c *rules.Conn) (granted uint32, ok bool) {
	x, ok := g.last[hosts{c.Client().Addr, c.Server().Addr}]
	return x.granted, ok && x.ended <= c.FirstTime
}

// note remembers the last grant of a connection.
func (g *grants) note(c *rules.Conn, granted uint32) {
	h := hosts{c.Client().Addr, c.Server().Addr}
	if _, known := g.last[h]; granted == 0 || !known && len(g.last) >= mostPairs {
		return
	}
	if g.last == nil {
		g.last = make(map[hosts]lastGrant)
	}
	g.last[h] = lastGrant{granted, c.LastTime}
}
