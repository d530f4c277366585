package xchar

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
)

func xchar006() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Disordered).In("a"), rules.SilentOrLikelyIf(rules.BeganLate).In("a"), rules.LikelyIf(rules.OneDirection).In("a"),
			rules.SilentIf(rules.JustBegun, rules.OneDirection, rules.LostAround, rules.Disordered, rules.AnyCut).In("d"),
			rules.LikelyIf(rules.Lossy, rules.BeganLate).In("d"),
			rules.DetailIf(rules.NothingFollows),
		},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations(), requests.Knowledge()},
		On: []rules.Event{
			onEvent(event006),
			requests.OnRefusal(refused006),
			rules.OnMessage(rules.OtherVersion, message006),
			rules.OnEnd(end006),
		},
	}
}

// A start is how an end of a connection began.
type start struct {
	messages int
	inits    int
	first    operation // its INIT_XCHAR
	has      uint8     // which characteristics that has, as bits
	// taken is the first Send to it above the default receive buffer; refused says that
	// it refused one.
	taken   flow.Moment
	refused bool
	// called says that it answered a call of the server, invalid that a call of its own
	// names a handle that may be invalidated.
	called, invalid bool
}

func event006(c *rules.Conn, e *event, report rules.Reporter) {
	ends := &state.Of(c).starts
	if e.op == nil || e.op.kind != rpcrdma.InitXchar {
		return
	}
	m, s := e.m, &ends[e.m.From&1]
	if s.inits++; s.inits == 1 {
		s.first = *e.op
		s.first.items = nil
		for i := range e.op.items {
			if x := &e.op.items[i]; x.id.Name() != "" {
				s.has |= 1 << x.id
			}
		}
	}
	placed(c, report, e, s)
	limit := rpcrdma.Version2Threshold
	if n, _ := c.Negotiation(); n.Agreed == 0 && m.From == c.ClientEnd && s.messages == 0 && !c.BeganLate() {
		limit = rpcrdma.DefaultThreshold // nothing can have come back before its first message
	}
	if m.Length <= limit {
		return
	}
	if f := report.Message("c", m, ""); f != nil {
		f.Messagef("the %s's INIT_XCHAR has %d bytes, but a peer need not accept more than %d", c.Sender(m.From), m.Length, limit)
		f.See("Send length", m.Length, finding.AtMost(limit)).In(m, limit, m.Length-limit)
	}
}

func refused006(c *rules.Conn, r *requests.Refusal, _ rules.Reporter) {
	if r.Sent.Length > rpcrdma.Version2Threshold {
		state.Of(c).starts[r.Sent.From.Peer()&1].refused = true
	}
}

func message006(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	h, k := &m.Header, state.Of(c)
	if h.Version == rpcrdma.Version1 {
		return
	}
	s := &k.starts[m.From&1]
	s.messages++
	switch r := m.RPC(); {
	case r == nil || h.Version != rpcrdma.Version2:
	case m.Role() == dissect.RoleCall:
		s.invalid = s.invalid || h.InvHandle != 0 && !h.Fault.Bad()
	default:
		s.called = s.called || r.Call != nil && r.Reverse() && c.RolesKnown && h.Proc != rpcrdma.RDMAError
	}
	if to := &k.starts[m.From.Peer()&1]; m.Length > rpcrdma.Version2Threshold && to.taken == (flow.Moment{}) {
		to.taken = m.Moment()
	}
}

func end006(c *rules.Conn, report rules.Reporter) {
	for e := range state.Of(c).starts {
		state.Of(c).starts[e].used(c, operationsOf(c), report)
	}
}

// placed judges where an INIT_XCHAR stands among the messages of its sender.
func placed(c *rules.Conn, report rules.Reporter, e *event, s *start) {
	m := e.m
	switch {
	case s.inits > 1:
		if f := report.Message("b", m, ""); f != nil {
			f.Messagef("the %s sent a second INIT_XCHAR", c.Sender(m.From)).See("INIT_XCHAR of the end", s.inits, 1).With(s.first.Ref)
		}
	case s.messages > 0 && !c.Disordered():
		doubt := ""
		if c.BeganLate() {
			if !c.FromStart(m.From) {
				return
			}
			doubt = finding.DoubtOneWay
		}
		if f := report.Message("a", m, doubt); f != nil {
			f.Messagef("the %s sent %s before its INIT_XCHAR", c.Sender(m.From), field.Counted(s.messages, "message")).See("messages before it", s.messages, 0)
		}
	}
}

// used reports which characteristics an end left out although the connection goes by them.
func (s *start) used(c *rules.Conn, b *operations, report rules.Reporter) {
	from := s.first.From
	if s.inits != 1 || !s.first.sound {
		return
	}
	doubt, ok := b.lacking(from, s.first.Ref)
	if !ok {
		return
	}
	tell := func(id rpcrdma.CharacteristicID, how string) {
		if _, said := c.Characteristics(from).Now(id); said || s.has>>id&1 != 0 {
			return
		}
		if f := report.Key(id).Past("d", &s.first.PastMessage, doubt); f != nil {
			f.Messagef("the %s's INIT_XCHAR has no %v, but %s", c.Sender(from), id, how).See(id.String(), "not there", nil)
		}
	}
	if s.taken != (flow.Moment{}) && !s.refused && c.WentOn(from, s.taken) {
		tell(rpcrdma.XcharRBSIZ, "it accepts Sends of more than 4096 bytes")
	}
	if s.invalid {
		tell(rpcrdma.XcharRQREMINV, "its calls name handles that may be invalidated")
	}
	if s.called {
		tell(rpcrdma.XcharBRS, "it answers reverse-direction calls")
	}
}
