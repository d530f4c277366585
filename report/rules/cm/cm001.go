package cm

import (
	"cmp"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func cm001() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.BeganLate)},
		Needs:       []rules.Knowledge{known()},
		On: []rules.Event{
			onHandshakeKnown(handshake001),
			rules.OnMessage(rules.AboveDefault|rules.Invalidating, message001),
			rules.OnEnd(end001),
		},
	}
}

// useless are private data that are not of the format.
type useless struct {
	ends    [2]declared
	ignored [2]bool // they are there, but must be ignored
	notes   [2]*rules.Finding
}

func handshake001(c *rules.Conn, b *setup.Handshake, report rules.Reporter) {
	for e := range flow.End(2) {
		t, ok := read(c, e)
		if !ok || t.valid() {
			continue
		}
		k := state.Of(c)
		if k.useless == nil {
			k.useless = new(useless)
		}
		k.useless.ends[e], k.useless.ignored[e] = t, !t.empty()
		k.useless.notes[e] = absent001(c, report, b, &t, e)
	}
}

func message001(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil || k.useless == nil || m.Header.Version != rpcrdma.Version1 || !k.useless.ignored[m.From.Peer()&1] || m.Whole && m.Header.Fault.Bad() {
		return
	}
	if m.Length <= rpcrdma.DefaultThreshold && !(m.HasInvalidated && m.Role() == dissect.RoleAnswer) {
		return
	}
	if f := report.Message("c", m, ""); f != nil {
		if m.Length > rpcrdma.DefaultThreshold {
			f.Messagef("the %s sent %d bytes, but must ignore the private data of the %s and send at most %d bytes",
				c.Sender(m.From), m.Length, c.Sender(m.From.Peer()), rpcrdma.DefaultThreshold)
			f.See("Send length", m.Length, finding.AtMost(rpcrdma.DefaultThreshold))
		} else {
			f.Messagef("the %s replied by Send With Invalidate, but must ignore the private data of the %s and treat its flag R as clear",
				c.Sender(m.From), c.Sender(m.From.Peer()))
		}
		f.See("private data", k.useless.ends[m.From.Peer()&1].shown(), nil).With(setup.Of(c).Declared[m.From.Peer()&1].Frame)
	}
}

// end001 puts right what was reported of an end before version 2 was agreed on, whose limits
// the private data do not set.
func end001(c *rules.Conn, _ rules.Reporter) {
	k := state.IfAny(c)
	if n, _ := c.Negotiation(); n.Agreed != rpcrdma.Version2 || k == nil || k.useless == nil {
		return
	}
	for e := range flow.End(2) {
		f, t := k.useless.notes[e], &k.useless.ends[e]
		if f == nil {
			continue
		}
		for i := range f.Evidence {
			f.Evidence[i].Expected = nil
		}
		f.Advise("Nothing needs to be done: private data sets limits for version 1 only.")
		if t.whole {
			f.Messagef("the %s sent private data of Version %d; version 2, which the ends agreed on, does not need it", c.Sender(e), t.version)
		} else {
			f.Messagef("the %s sent %s; version 2, which the ends agreed on, does not need any", c.Sender(e), t.what())
		}
	}
}

// absent001 says what an end gave instead of the format.
func absent001(c *rules.Conn, report rules.Reporter, b *setup.Handshake, t *declared, e flow.End) *rules.Finding {
	if t.whole {
		f := aboutEnd(report, b, "b", e)
		if f != nil {
			f.Messagef("the %s sent private data of Version %d; the %s must use 1024 bytes in both directions and no remote invalidation",
				c.Sender(e), t.version, c.Sender(e.Peer()))
			f.See("Version", t.version, rpcrdma.PrivateDataVersion).See("private data", t.shown(), nil)
			f.At(b.Bytes(e, t.at+versionAt, 1))
		}
		return f
	}
	if t.at >= 0 {
		return nil // it is cut short: CM-003
	}
	if t.swapped() {
		report = report.As(finding.Warning)
	}
	f := aboutEnd(report, b, "a", e)
	if f != nil {
		f.Messagef("the %s sent %s; the %s must use 1024 bytes in both directions and no remote invalidation", c.Sender(e), t.what(), c.Sender(e.Peer()))
		f.See("Format Identifier", cmp.Or(t.shown(), "none"), "f6 ab 0e 18").At(b.Bytes(e, 0, min(identifierSize, len(t.data))))
	}
	return f
}
