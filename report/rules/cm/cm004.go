package cm

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

// doubtInvalid is what else a NAK may mean.
const doubtInvalid = "an invalid request may have causes other than its length"

func cm004() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.BeganLate).In("b")},
		Needs:       []rules.Knowledge{setup.Knowledge(), requests.Knowledge()},
		On:          []rules.Event{requests.OnRefusal(refused004), rules.OnMessage(rules.AboveDefault, message004)},
	}
}

func refused004(c *rules.Conn, r *requests.Refusal, report rules.Reporter) {
	s, p := r.Sent, setup.Private(c, r.From)
	if !r.OfLength() || c.BeganLate() || p == nil || s.Length > p.ReceiveSize() || s.Invalidates || s.Version != rpcrdma.Version1 {
		return
	}
	doubt := ""
	if !r.TooLong {
		doubt = doubtInvalid
	}
	if f := r.Find(report, "b", doubt); f != nil {
		b := setup.Of(c)
		f.Messagef("the %s refused a Send of %d bytes with %s, but declared a Receive Size of %d", c.Sender(r.From), s.Length, r.Text, p.ReceiveSize())
		f.See("Receive Size", p.ReceiveSize(), nil).See("Send length", s.Length, nil)
		f.At(b.PrivateAt(c, r.From, sizesAt+1, 1)).With(b.Declared[r.From&1].Frame)
	}
}

// message004 holds a message against what its own sender told, for which the other end's word is not needed.
func message004(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if m.Length <= rpcrdma.DefaultThreshold || m.Header.Version != rpcrdma.Version1 || m.Whole && m.Header.Fault.Bad() {
		return
	}
	p := setup.Private(c, m.From)
	if p == nil || m.Length <= p.SendSize() {
		return
	}
	if f := report.Message("a", m, ""); f != nil {
		f.Messagef("the %s sent %d bytes, but declared a Send Size of %d", c.Sender(m.From), m.Length, p.SendSize())
		f.See("Send length", m.Length, finding.AtMost(p.SendSize())).In(m, p.SendSize(), m.Length-p.SendSize())
		f.With(setup.Of(c).Declared[m.From&1].Frame)
	}
}
