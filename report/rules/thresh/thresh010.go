package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

const (
	endless = 3 // times that a Send goes out again count as without an end
	unseen  = "what accepted it may be missing from the capture"
	// otherwise is what else may be the reason of a refusal that does not report the length.
	otherwise = "an adapter may refuse a Send in this way for reasons other than its length"
)

func thresh010() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.LikelyIf(rules.BeganLate),
			rules.SilentIf(rules.OneDirection, rules.LostSince.From(rules.Receiver), rules.Disordered).Of("a teardown").Since("the Send"),
			rules.LikelyIf(rules.Lossy).Of("messages of version 2"), rules.DetailIf(rules.LostAround, rules.AnyCut),
		},
		Needs: []rules.Knowledge{requests.Knowledge(), setup.Knowledge(), setup.ReceivedKnowledge()},
		On: []rules.Event{
			requests.OnRefusal(refused010),
			rules.OnMessage(rules.AboveDefault|rules.AwaitedMessage, message010),
			rules.OnFrame(rules.Awaited, frame010),
			rules.OnEnd(end010),
		},
	}
}

func refused010(c *rules.Conn, r *requests.Refusal, report rules.Reporter) {
	s := r.Sent
	if !r.OfLength() && !r.Unclear {
		return
	}
	limit, doubt := rpcrdma.DefaultThreshold, ""
	if l, known := limitAt(c, s.Version, s.From, s.Begin, s.Time); known {
		if limit, doubt = l.Bytes, l.Doubt; r.Unclear {
			doubt = otherwise
		}
	} else if r.Unclear {
		return
	} else if s.Version == rpcrdma.Version2 {
		if limit = rpcrdma.Version2Threshold; !r.TooLong {
			return // its receiver may have announced more
		}
		doubt = finding.DoubtLoss
		if c.BeganLate() {
			doubt = finding.DoubtLate
		}
	} else if !r.TooLong {
		doubt = finding.DoubtLate
	}
	if s.Length <= limit || s.Version != rpcrdma.Version1 && s.Version != rpcrdma.Version2 {
		return
	}
	if f := r.Find(report, "", doubt); f != nil {
		f.Messagef("the %s refused a Send of %d bytes, where %d are allowed, with %s", c.Sender(r.From), s.Length, limit, r.Text)
		f.See("Send length", s.Length, finding.AtMost(limit))
		see(c, f, s.Version)
		f.With(r.Frame)
	}
	if x := pending(c); x != nil {
		x[s.From&1].pending = false
	}
}

// pending are the Sends of a connection that are too long, nil if there was none.
func pending(c *rules.Conn) *[2]oversize {
	if k := state.IfAny(c); k != nil {
		return k.pending
	}
	return nil
}

func message010(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	if x := pending(c); x != nil && c.IWARP() {
		x[m.From.Peer()&1].pending = false
	}
	l, ok := tooLongToo(c, m)
	if !ok {
		return
	}
	if o := &rules.Some(&state.Of(c).pending)[m.From&1]; !o.pending {
		*o = oversize{Request: *requests.Of(c).Newest(m.From), limit: l.Bytes, pending: true, call: m.Role() == dissect.RoleCall}
		c.AwaitFrames(rules.KeepsTHRESH, true)
		c.AwaitMessages(rules.KeepsTHRESH, true)
	}
}

func frame010(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	x := pending(c)
	if x == nil {
		return
	}
	for e := range x {
		if x[e].pending {
			x[e].frame(v)
		}
	}
	waits := x[0].pending || x[1].pending
	c.AwaitFrames(rules.KeepsTHRESH, waits)
	c.AwaitMessages(rules.KeepsTHRESH, waits)
}

func end010(c *rules.Conn, report rules.Reporter) {
	x := pending(c)
	if x == nil {
		return
	}
	for e := range x {
		if o := &x[e]; o.pending && !c.OneDirection() && !c.LostAnyOf(o.From.Peer(), o.Begin) && !c.Disordered() {
			o.reportEnd(c, setup.Of(c), report)
		}
	}
}
