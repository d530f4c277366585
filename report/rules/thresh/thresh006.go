package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func thresh006() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.AnyCut),
			rules.SilentOrLikelyIf(rules.NothingFollows.From(rules.Receiver)),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{requests.Knowledge()},
		On: []rules.Event{
			requests.OnRefusal(refused006),
			rules.OnMessage(rules.AboveDefault|rules.OtherVersion, message006),
			rules.OnEnd(end006),
		},
	}
}

// early are the Sends that came too early for their length.
type early struct {
	// found is the first before version 2 was agreed on, and the first after it was refused.
	found *[2]tooEarly
	// began says that an end tried version 2, cut that a message since then is not whole,
	// refused that a Send of those found was.
	began, cut, refused bool
}

// tooEarly is a Send that came too early for its length.
type tooEarly struct {
	rules.PastMessage
	letter string
	first  bool // nothing came before it
	length int
}

func refused006(c *rules.Conn, r *requests.Refusal, _ rules.Reporter) {
	if k := state.IfAny(c); k != nil && k.early.found != nil {
		x := k.early.found
		k.early.refused = k.early.refused || r.Sent.Frame == x[0].Ref || r.Sent.Frame == x[1].Ref
	}
}

func message006(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	n, tried := c.Negotiation()
	if !tried {
		return
	}
	k := &state.Of(c).early
	first := !k.began
	k.began = true
	k.cut = k.cut || !m.Whole // it may have been the answer
	if m.Length <= rpcrdma.DefaultThreshold || m.Whole && m.Header.Fault.Bad() || m.Header.Length < rpcrdma.FixedSize {
		return
	}
	found, letter := 0, ""
	switch m.Header.Version {
	case rpcrdma.Version2:
		// What agrees may be the message itself, if the other spoke before.
		if n.By != m.From || m.From != c.ClientEnd || n.Agreed != 0 {
			return
		}
	case rpcrdma.Version1:
		l, known := setup.LimitOf(c, m.From)
		if !n.Refused || n.Low > rpcrdma.Version1 || m.Frame().Compare(n.RefusedIn) < 0 || !known || !l.Default {
			return
		}
		found, letter = 1, "b"
	default:
		return
	}
	x := &rules.Some(&k.found)[found]
	if x.Seen() {
		return
	}
	*x = tooEarly{pastExcess(m, rpcrdma.DefaultThreshold), letter, first, m.Length}
}

func end006(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil || k.early.found == nil || c.Limited(rules.AnyCut, k.early.cut) {
		return
	}
	for i := range k.early.found {
		if x := &k.early.found[i]; x.Seen() {
			x.report(c, report, k.early.refused)
		}
	}
}

// report says it unless an answer may be missing that was there before.
func (x *tooEarly) report(c *rules.Conn, report rules.Reporter, refused bool) {
	if !c.AllCaptured() {
		return
	}
	doubt := ""
	if !x.first && !c.WentOn(x.From.Peer(), x.Moment) {
		if doubt = unseen; !refused {
			return
		}
	}
	f := report.Past(x.letter, &x.PastMessage, doubt)
	if f == nil {
		return
	}
	if x.letter == "b" {
		f.Messagef("the %s sent %d bytes after version 2 was refused, and the %s sent no private data: the limit is %d", c.Sender(x.From), x.length,
			c.Sender(x.From.Peer()), rpcrdma.DefaultThreshold)
	} else {
		f.Messagef("the %s sent %d bytes before the %s had accepted a message of version 2: until then the limit is %d", c.Sender(x.From), x.length,
			c.Sender(x.From.Peer()), rpcrdma.DefaultThreshold)
	}
	f.See("Send length", x.length, finding.AtMost(rpcrdma.DefaultThreshold))
}
