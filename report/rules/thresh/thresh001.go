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

// agreed is how many Sends above the default make it likely that both ends were
// set up for more.
const agreed = 100

func thresh001() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.LikelyIf(rules.BeganLate)},
		Needs:       []rules.Knowledge{requests.Knowledge()},
		On: []rules.Event{
			requests.OnRefusal(refused001),
			rules.OnMessage(rules.AboveDefault, message001),
			rules.OnEnd(end001),
		},
	}
}

// above are the Sends of one end above the default threshold, as long as that may
// be its limit.
type above struct {
	count   int
	longest int
	refused bool // one of them
	// The first of them or, while the limit is not known, the longest.
	rules.PastMessage
	length int
	call   string // the name of its RPC, "" if that is not known
	answer bool   // it is that of the reply
}

func refused001(c *rules.Conn, r *requests.Refusal, _ rules.Reporter) {
	if s := r.Sent; r.OfLength() && s.Length > rpcrdma.DefaultThreshold && s.Version == rpcrdma.Version1 {
		rules.Some(&state.Of(c).above)[s.From&1].refused = true
	}
}

func message001(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	if !aboveDefault(m) || reverse(c, m) {
		return
	}
	// What the receiver told may come later than the message, where the
	// directions come from two captures: the end judges.
	l, known := setup.LimitOf(c, m.From)
	if known && !l.Default {
		return
	}
	a := &rules.Some(&state.Of(c).above)[m.From&1]
	a.count++
	if m.Length <= a.longest {
		return
	}
	a.longest = m.Length
	if a.count == 1 || !known {
		a.PastMessage, a.length, a.call = pastExcess(m, rpcrdma.DefaultThreshold), m.Length, ""
		if r := m.RPC(); r != nil && r.CallHeader() != nil {
			a.call, a.answer = string(r.AppendName(nil, r.Ops(nil))), m.Answer
		}
	}
}

func end001(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil || k.above == nil {
		return
	}
	for e := range flow.End(2) {
		a := &k.above[e]
		if a.count == 0 {
			continue
		}
		l, known := setup.LimitOf(c, e)
		switch {
		case !known && c.BeganLate():
			observed(c, report, e, a)
		case !known || !l.Default:
		case a.count > agreed && !a.refused:
			report001(c, report.As(finding.Warning), e, a)
		default:
			report001(c, report.As(finding.Error), e, a)
		}
	}
}

func report001(c *rules.Conn, report rules.Reporter, e flow.End, a *above) {
	if f := report.Past("", &a.PastMessage, ""); f != nil {
		f.Call = a.call
		what := "a message"
		if a.call != "" && a.answer {
			what = "the reply to " + a.call
		} else if a.call != "" {
			what = "a call of " + a.call
		}
		f.Messagef("the %s sent %s of %d bytes; the %s sent no private data, so the limit is the default of %d",
			c.Sender(e), what, a.length, c.Sender(e.Peer()), rpcrdma.DefaultThreshold)
		if a.call != "" {
			f.See("procedure", a.call, nil)
		}
		f.See("Send length", a.length, rpcrdma.DefaultThreshold).See("such Sends", a.count, nil).See("longest of them", a.longest, nil)
	}
}

// observed tells the longest Send where nothing is known of the limit.
func observed(c *rules.Conn, report rules.Reporter, e flow.End, a *above) {
	if f := report.As(finding.Note).Past("", &a.PastMessage, finding.DoubtLate); f != nil {
		f.Bytes, f.Call = nil, a.call
		f.Messagef("the longest Send of the %s has %d bytes; the inline threshold agreed on is not in the capture", c.Sender(e), a.longest)
		f.See("longest Send", a.longest, nil).See("Sends above 1024 bytes", a.count, nil)
	}
}
