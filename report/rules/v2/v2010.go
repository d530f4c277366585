package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
)

func v2010() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Disordered),
			rules.SilentIf(rules.Lossy).In("a"), rules.LikelyIf(rules.Lossy.From(rules.Sender)).In("b"),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{requests.Knowledge()},
		On: []rules.Event{
			requests.OnRefusal(refusal010), rules.OnMessage(rules.OtherVersion, message010), rules.OnEnd(end010), rules.OnPublished(ended010),
		},
	}
}

func message010(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	k := state.Of(c)
	if !k.first.Seen() && spoken(m) && m.From == c.ClientEnd && m.Header.Proc != rpcrdma.RDMAError {
		k.first = pastWord(m, rpcrdma.AtVersion)
	}
	if e := m.From & 1; m.Length > rpcrdma.DefaultThreshold && spoken(m) && k.large[e] == (flow.Ref{}) && speaks2(c) {
		k.large[e] = m.Frame()
	}
}

func end010(c *rules.Conn, _ rules.Reporter) {
	n, tried := c.Negotiation()
	x := ended{
		hosts: c.Hosts(), tried: tried && n.Tried == rpcrdma.Version2 && n.By == c.ClientEnd, agreed: n.Agreed != 0, proven: proven(c),
		closing: c.Closing, began: c.FirstTime, end: c.LastTime, last: c.Last,
	}
	if k := state.IfAny(c); k != nil {
		x.first = k.first
	}
	rules.Publish(c, x)
}

func ended010(e *rules.ConnRef, x *ended, report rules.Reporter) {
	historySlot.Of(e.CrossConnection).ended(x, report, int64(e.Config().ReconnectTime))
}

// unchanged reports the first Send that version 2 allows and that is refused.
func unchanged(c *rules.Conn, report rules.Reporter, s *requests.Request, r *requests.Refusal) {
	limit := rpcrdma.Version2Threshold
	if x, ok := c.Characteristics(r.From).At(rpcrdma.XcharRBSIZ, s.Begin, s.Time); ok {
		if !x.Known {
			return
		}
		limit = min(limit, int(min(x.Value, rpcrdma.Version2Threshold)))
	}
	if s.Length > limit {
		return // THRESH-005's, or that of a larger value
	}
	doubt := ""
	if !r.TooLong {
		doubt = doubtInvalid
	} else if c.LackingOf(r.From.Peer()) {
		doubt = finding.DoubtLoss
	}
	if f := r.Find(report, "b", doubt); f != nil {
		f.Messagef("the %s refused the first Send above 1024 bytes after the agreement on version 2, one of %d bytes, with %s", c.Sender(r.From), s.Length, r.Text)
		f.See("Send length", s.Length, finding.AtMost(limit)).With(r.Frame)
	}
}

// doubtInvalid is what else may be the reason for a NAK.
const doubtInvalid = "a request may be invalid for reasons other than its length"

func refusal010(c *rules.Conn, r *requests.Refusal, report rules.Reporter) {
	s, k := r.Sent, state.IfAny(c)
	if k != nil && s.Version == rpcrdma.Version2 && r.OfLength() && s.Frame == k.large[s.From&1] && (r.TooLong || !s.Invalidates) &&
		c.Established && !c.BeganLate() && !c.OneDirection() && !c.Disordered() {
		unchanged(c, report, s, r)
	}
}
