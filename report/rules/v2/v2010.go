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
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Disordered),
			rules.SilentIf(rules.Lossy).In("a"), rules.LikelyIf(rules.Lossy.From(rules.Sender)).In("b"),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{requests.Knowledge()},
		On: []rules.Event{
			requests.OnRefusal(refusal010), rules.OnMessage(rules.OtherVersion, message010), rules.OnEnd(end010), rules.OnPosted(ended010),
		},
	}
}

func message010(c *rules.Conn, m *dissect.Message, say rules.Say) {
	k := of(c)
	if !k.first.Seen() && spoken(m) && m.From == c.ClientEnd && m.Header.Proc != rpcrdma.RDMAError {
		k.first = pastWord(m, rpcrdma.AtVersion)
	}
	if e := m.From & 1; m.Length > rpcrdma.DefaultThreshold && spoken(m) && k.large[e] == (flow.Ref{}) && speaks2(c) {
		k.large[e] = m.Frame()
	}
}

func end010(c *rules.Conn, _ rules.Say) {
	n, tried := c.Negotiation()
	x := ended{
		hosts: c.Hosts(), tried: tried && n.Tried == rpcrdma.Version2 && n.By == c.ClientEnd, agreed: n.Agreed != 0, proven: proven(c),
		closing: c.Closing, began: c.FirstTime, end: c.LastTime, last: c.Last,
	}
	if k := ifAny(c); k != nil {
		x.first = k.first
	}
	rules.Post(c, x)
}

func ended010(e *rules.Entry, x *ended, say rules.Say) {
	rules.KeptAcross[history](e.Across, rules.KeepsV2).ended(x, say, int64(e.Config().ReconnectTime))
}

// unchanged tells of the first Send that version 2 allows and that is refused.
func unchanged(c *rules.Conn, say rules.Say, s *requests.Request, r *requests.Refusal) {
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
	if f := r.Find(say, "b", doubt); f != nil {
		f.Sayf("the %s refused the first Send above 1024 bytes after the agreement on version 2, one of %d bytes, with %s", c.Sender(r.From), s.Length, r.Text)
		f.See("Send length", s.Length, finding.AtMost(limit)).With(r.Frame)
	}
}

// doubtInvalid is what else may be the reason for a NAK.
const doubtInvalid = "a request may be invalid for reasons other than its length"

func refusal010(c *rules.Conn, r *requests.Refusal, say rules.Say) {
	s, k := r.Sent, ifAny(c)
	if k != nil && s.Version == rpcrdma.Version2 && r.OfLength() && s.Frame == k.large[s.From&1] && (r.TooLong || !s.Invalidates) &&
		c.Established && !c.BeganLate() && !c.OneDirection() && !c.Disordered() {
		unchanged(c, say, s, r)
	}
}
