package xchar

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/requests"
)

func xchar006() *rules.Rule {
	return &rules.Rule{
		ID: "XCHAR-006", Title: "INIT_XCHAR at an unusual place, or of an unusual size",
		Severity: rules.Note,
		Since:    "0.6",
		Meaning: "An INIT_XCHAR is not the first message of its sender, comes a second time, is longer than a peer that knows nothing of " +
			"characteristics need take, or leaves out one that the connection goes by later.",
		Why: "What the peer sends before it knows the characteristics goes by the defaults. A message that is too long for them ends " +
			"the connection before anything was agreed.",
		Advice: "Send one INIT_XCHAR, first of all, with all characteristics that are known, and keep it below 1024 octets until the peer " +
			"has answered in version 2.",
		Reference: "draft-dnoveck-nfsv4-rpcrdma-xcharext-00, sections 3 and 4.1; draft-cel-nfsv4-rpcrdma-version-two-02, section 6",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.Disordered).In("a"),
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.AnyCut).In("d"),
			rules.DetailIf(rules.Unheard),
		},
		Limits: "What is too long for a peer whose version is not known is THRESH-006's as well.",
		Cases: []rules.Case{
			{Letter: "a", Title: "not the first message of its sender", Severity: rules.Note},
			{Letter: "b", Title: "a second one of the same end", Severity: rules.Note},
			{Letter: "c", Title: "longer than the default receive buffer", Severity: rules.Warning},
			{Letter: "d", Title: "a characteristic is left out that is used", Severity: rules.Note},
		},
		Causes: []string{"THRESH-006", "THRESH-005"},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations(), requests.Knowledge()},
		On: []rules.Event{
			onEvent(event006),
			requests.OnRefusal(refused006),
			rules.OnMessage(rules.OtherVersion, message006),
			rules.OnEnd(end006),
		},
		Fires: []rules.Sample{
			{Name: "behind the first call", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				optional 2 client INIT_XCHAR [RBSIZ=8192]
				    want XCHAR-006a
				disconnect`},
			{Name: "once more", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				optional 2 client INIT_XCHAR [RBSIZ=16384]
				    want XCHAR-006b
				disconnect`},
			{Name: "1188 octets as the very first message", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192 0xffffff01=bytes(1130)]
				    want XCHAR-006c 1024+164
				    want THRESH-006
				disconnect`},
			{Name: "5000 octets of a server", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=4096]
				optional 2 server INIT_XCHAR [RBSIZ=4096 0xffffff01=bytes(5000)]
				    want XCHAR-006c
				disconnect`},
			{Name: "the receive buffer is larger than the default", Scene: `
				connect version=2
				call 1 NFS3 NULL
				optional 2 server INIT_XCHAR [BRS=NONE]
				    want XCHAR-006d
				reply 1
				call 3 NFS3 WRITE data=bytes(5000)
				reply 3
				disconnect`},
			{Name: "remote invalidation and callbacks, and nothing said of them", Scene: `
				connect version=2
				optional 2 client INIT_XCHAR [RBSIZ=8192]
				    want XCHAR-006d
				    want XCHAR-006d
				call 1 NFS3 READ count=100
				    write 0x801 100; inv 0x801
				reply 1 data=bytes(100)
				callback 3 CB_NULL
				    want CREDIT-007
				reply 3
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the server's first message, behind a call of the client's", Scene: `
				connect version=2
				optional 2 client INIT_XCHAR [RBSIZ=8192 0xffffff01=bytes(900)]
				call 1 NFS3 NULL
				optional 3 server INIT_XCHAR [RBSIZ=8192 RQREMINV=FALSE BRS=GENL 0xffffff01=bytes(2000)]
				reply 1
				disconnect`},
			{Name: "the capture began later", Scene: `
				version 2
				call 1 NFS3 NULL
				reply 1
				optional 2 client INIT_XCHAR [RBSIZ=8192]
				call 3 NFS3 NULL
				reply 3`},
			{Name: "what was left out comes in an update", Scene: `
				connect version=2
				call 1 NFS3 NULL
				optional 2 server INIT_XCHAR [BRS=NONE]
				reply 1
				optional 3 server UPD_XCHAR RBSIZ=8192
				call 3 NFS3 WRITE data=bytes(5000)
				reply 3
				disconnect`},
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

func event006(c *rules.Conn, e *event, say rules.Say) {
	ends := &of(c).starts
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
	placed(c, say, e, s)
	limit := rpcrdma.Version2Threshold
	if n, _ := c.Negotiation(); n.Agreed == 0 && m.From == c.ClientEnd && s.messages == 0 && !c.BeganLate() {
		limit = rpcrdma.DefaultThreshold // nothing can have come back before its first message
	}
	if m.Length <= limit {
		return
	}
	if f := say.Message("c", m, ""); f != nil {
		f.Sayf("the %s's INIT_XCHAR has %d octets, and a peer need not take more than %d", c.Sender(m.From), m.Length, limit)
		f.See("Send length", m.Length, limit).In(m, limit, m.Length-limit)
	}
}

func refused006(c *rules.Conn, r *requests.Refusal, _ rules.Say) {
	if r.Sent.Length > rpcrdma.Version2Threshold {
		of(c).starts[r.Sent.From.Peer()&1].refused = true
	}
}

func message006(c *rules.Conn, m *dissect.Message, _ rules.Say) {
	h, k := &m.Header, of(c)
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

func end006(c *rules.Conn, say rules.Say) {
	for e := range of(c).starts {
		of(c).starts[e].used(c, operationsOf(c), say)
	}
}

// placed judges where an INIT_XCHAR stands among the messages of its sender.
func placed(c *rules.Conn, say rules.Say, e *event, s *start) {
	m := e.m
	switch {
	case s.inits > 1:
		if f := say.Message("b", m, ""); f != nil {
			f.Sayf("the %s sent a second INIT_XCHAR", c.Sender(m.From)).See("INIT_XCHAR of the end", s.inits, 1).With(s.first.Ref)
		}
	case s.messages > 0 && !c.BeganLate() && !c.Disordered():
		if f := say.Message("a", m, ""); f != nil {
			f.Sayf("the %s sent %d messages before its INIT_XCHAR", c.Sender(m.From), s.messages).See("messages before it", s.messages, 0)
		}
	}
}

// used tells which characteristics an end left out although the connection goes by them.
func (s *start) used(c *rules.Conn, b *operations, say rules.Say) {
	from := s.first.From
	if s.inits != 1 || !s.first.sound || !b.whole() {
		return
	}
	tell := func(id rpcrdma.CharacteristicID, how string) {
		if _, said := c.Characteristics(from).Now(id); said || s.has>>id&1 != 0 {
			return
		}
		if f := say.Key(id).Past("d", &s.first.PastMessage, ""); f != nil {
			f.Sayf("the %s's INIT_XCHAR has no %v, and %s", c.Sender(from), id, how).See(id.String(), "not there", nil)
		}
	}
	if s.taken != (flow.Moment{}) && !s.refused && c.WentOn(from, s.taken) {
		tell(rpcrdma.XcharRBSIZ, "takes Sends of more than 4096 octets")
	}
	if s.invalid {
		tell(rpcrdma.XcharRQREMINV, "its calls name handles that may be invalidated")
	}
	if s.called {
		tell(rpcrdma.XcharBRS, "answers calls of the server")
	}
}
