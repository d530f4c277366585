package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans017() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.OneDirection), rules.LikelyIf(rules.Lossy.From(rules.Receiver))},
		Needs:       []rules.Knowledge{wires()},
		On:          []rules.Event{onOutOfOrdinary(packet017), rules.OnRPC(0, rpc017), rules.OnEnd(end017)},
	}
}

const (
	// mostStuck is how many PSNs that were sent again are remembered of an end, the first,
	// leastStuck how many of them have to be large and lost.
	mostStuck  = 16
	leastStuck = 3
	// leastThrough is how many RPCs must have been answered before.
	leastThrough = 8
)

// A stuck packet was retransmitted.
type stuck struct {
	psn   uint32
	bytes int // of payload
	again int // how often it was retransmitted
	at    flow.Moment
}

// larges are what shows whether large packets of an end get through.
type larges struct {
	list []stuck
	// through is the longest payload of a packet that got there.
	through int
}

// sizes are those of a connection.
type sizes struct {
	ends [2]larges
	rpcs int // that were answered
}

// rpc017 notes what got through with an RPC that was answered.
func rpc017(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	if r.Call == nil || r.Reply == nil || c.IWARP() {
		return
	}
	s := rules.Some(&state.Of(c).sizes)
	s.rpcs++
	mtu, requester := int(c.PathMTU), &s.ends[r.Requester&1]
	requester.got(mtu, uint64(r.Call.Length))
	requester.got(mtu, r.Offer.ReadBytes)
	responder := &s.ends[r.Requester&1^1]
	responder.got(mtu, uint64(r.Reply.Length))
	responder.got(mtu, r.Offer.WriteBytes)
}

// got notes bytes that came through, in packets of the path MTU if they are more.
func (x *larges) got(mtu int, size uint64) {
	if mtu > 0 {
		size = min(size, uint64(mtu))
	}
	x.through = max(x.through, int(min(size, 1<<12)))
}

// packet017 notes a request packet that is retransmitted.
func packet017(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	if v.IB == nil || !again(v) || !v.IB.OpCode.IsRequest() || v.IB.OpCode.Transport() == rocev2.TransportUD || wireOf(c).unready(v) {
		return
	}
	s := rules.Some(&state.Of(c).sizes)
	x := &s.ends[v.Verdict.From&1]
	for i := range x.list {
		if x.list[i].psn == v.IB.PSN {
			x.list[i].again++
			return
		}
	}
	if len(x.list) < mostStuck {
		x.list = append(x.list, stuck{v.IB.PSN, v.IB.PayloadLength(), 1, rules.Moment(v)})
	} else if c.Delivery(flow.Point{From: v.Verdict.From, First: x.list[0].psn, Last: x.list[0].psn, Numbered: true}) == flow.Acknowledged {
		x.list = append(x.list[:0], stuck{v.IB.PSN, v.IB.PayloadLength(), 1, rules.Moment(v)}) // another loss
	}
}

// end017 reports an end none of whose large packets got through.
func end017(c *rules.Conn, report rules.Reporter) {
	s := ifAny(c).sizes
	if s == nil || s.rpcs < leastThrough || c.OneDirection() {
		return
	}
	for e := range s.ends {
		s.ends[e].report(c, flow.End(e), report)
	}
}

func (x *larges) report(c *rules.Conn, from flow.End, report rules.Reporter) {
	var large []stuck
	for _, p := range x.list {
		switch delivered := c.Delivery(flow.Point{From: from, First: p.psn, Last: p.psn, Numbered: true}); {
		case delivered == flow.Refused:
			return // it came
		case delivered == flow.Acknowledged:
		case p.bytes > x.through:
			large = append(large, p)
		case len(large) == 0:
			return // a small one is the first that is stuck
		}
	}
	if len(large) < leastStuck || x.through == 0 {
		return
	}
	doubt := ""
	if c.LackingOf(from.Peer()) {
		doubt = finding.DoubtLoss // an acknowledgement may be missing besides
	}
	first, least, times := large[0], large[0].bytes, 0
	for _, p := range large {
		least, times = min(least, p.bytes), max(times, p.again)
	}
	f := report.Moment("", first.at.Ref, first.at.Time, &from, doubt)
	if f == nil {
		return
	}
	f.Messagef("none of the %s's packets with %d bytes or more got through, though sent %s; those with up to %d did",
		c.Sender(from), least, field.Counted(times+1, "time"), x.through)
	f.See("packets retransmitted and never acknowledged", len(large), 0).See("bytes of the least of them", least, nil)
	f.See("bytes of the largest that got through", x.through, nil).See("path MTU", c.PathMTU, nil)
	f.With(large[len(large)-1].at.Ref)
}
