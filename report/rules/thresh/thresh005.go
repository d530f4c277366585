package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func thresh005() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.LikelyIf(rules.Lossy.From(rules.Receiver)),
			rules.SilentIf(rules.OneDirection, rules.LostAround.From(rules.Receiver), rules.Disordered, rules.AnyCut, rules.NothingFollows.From(rules.Receiver)),
			rules.SilentIf(rules.BeganLate).Of("what no announcement allows"),
		},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{setup.ReceivedKnowledge(), requests.Knowledge()},
		On: []rules.Event{
			requests.OnRefusal(refused005),
			rules.OnMessage(rules.OtherVersion, message005),
			rules.OnEnd(end005),
		},
	}
}

// larger is the first Send of an end that is longer than version 2 allows.
type larger struct {
	rules.PastMessage
	count  int // how many such Sends there are
	length int
	limit  setup.Limit
	text   string // what it is
	// refused is the frame that refuses one of them, the zero Ref if none does.
	refused flow.Ref
}

func refused005(c *rules.Conn, r *requests.Refusal, _ rules.Reporter) {
	k, s := state.IfAny(c), r.Sent
	if k == nil || k.larger == nil {
		return
	}
	if x := &k.larger[s.From&1]; x.count > 0 && s.Version == rpcrdma.Version2 && s.Length > x.limit.Bytes && r.OfLength() {
		x.refused = r.Frame
	}
}

func message005(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	if m.Length <= rpcrdma.DefaultThreshold || m.Header.Version != rpcrdma.Version2 || m.Whole && m.Header.Fault.Bad() || reverse(c, m) {
		return
	}
	l, known := setup.ReceivedOf(c).LimitOf(m)
	if !known || m.Length <= l.Bytes {
		return
	}
	x := &rules.Some(&state.Of(c).larger)[m.From&1]
	if x.count++; x.count > 1 {
		return
	}
	x.PastMessage, x.length, x.limit, x.text = pastExcess(m, l.Bytes), m.Length, l, kind(m)
}

func end005(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
	// What raised the limit may turn out to be missing, or to have come before.
	if k == nil || k.larger == nil || c.Disordered() {
		return
	}
	for e := range k.larger {
		x := &k.larger[e]
		doubt, receiver := "", x.From.Peer()
		if c.LackingOf(receiver) {
			doubt = finding.DoubtLoss
		}
		switch refused := x.refused != (flow.Ref{}); {
		case x.count == 0 || c.LostNear(receiver, x.Ref) && !c.Accounted(receiver, 0) || !refused && !c.WentOn(receiver, x.Moment):
		case k.larger[0].count+k.larger[1].count == 1 && !refused:
			x.report(c, report.As(finding.Warning), doubt)
		default:
			x.report(c, report, doubt)
		}
	}
}

// report says what one Send did.
func (x *larger) report(c *rules.Conn, report rules.Reporter, doubt string) {
	f := report.Past("", &x.PastMessage, doubt)
	if f == nil {
		return
	}
	f.Messagef("the %s's %s has %d bytes; %s allows %d", c.Sender(x.From), x.text, x.length, x.limit.Why, x.limit.Bytes)
	f.See("Send length", x.length, finding.AtMost(x.limit.Bytes))
	f.See("such Sends", x.count, nil)
	if x.refused != (flow.Ref{}) {
		f.With(x.refused)
	}
}
