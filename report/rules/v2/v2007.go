package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func v2007() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Unpaired, rules.Cut),
			rules.LikelyIf(rules.LostSince).In("a").Since("the request"),
			rules.LikelyIf(rules.BeganLate).Of("a missing answer"),
			rules.SilentIf(rules.JustBegun, rules.OneDirection, rules.LostSince.From(rules.Receiver), rules.Disordered, rules.AnyCut, rules.NearEnd).Of("a missing answer"),
		},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownRequests()},
		On:     []rules.Event{rules.OnMessage(rules.OtherVersion, message007), rules.OnEnd(end007)},
	}
}

// doubtKnown is why an option may get another error than INVAL_OPTION.
const doubtKnown = "the responder may know the option"

func message007(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if !spoken(m) || m.Header.Length < rpcrdma.FixedSize || c.Cut(m) {
		return
	}
	if h := &m.Header; h.Proc == rpcrdma.RDMAError {
		if !h.Fault.Bad() {
			wrong(c, report, requestsOf(c), m)
		}
		return
	}
	undefinedPart(c, report, m)
	if m.Answer && !m.Header.Fault.Bad() {
		lax(c, report, requestsOf(c), m)
	}
}

func end007(c *rules.Conn, report rules.Reporter) {
	b := requestsOf(c)
	for r := range b.list.All() {
		// Of the server it may be an answer, to a call that is missing.
		if r.From == c.ClientEnd && c.RolesKnown && !r.answered {
			silent(c, report, b, r)
		}
	}
}

// undefinedPart notes what the draft does not define.
func undefinedPart(c *rules.Conn, report rules.Reporter, m *dissect.Message) {
	h := &m.Header
	switch o := h.Option(); {
	case h.Fault.Bad() && h.Fault.Offset == rpcrdma.AtProc:
		if f := report.Key(uint32(h.Proc)).Message("b", m, ""); f != nil {
			f.Messagef("the %s sent a message with rdma_proc %d, which version 2 does not define", c.Sender(m.From), uint32(h.Proc))
			f.See("rdma_proc", uint32(h.Proc), "0, 1, 4 or 5").Word(m, rpcrdma.AtProc)
		}
	case o != nil && !h.Fault.Bad() && !o.Known():
		if f := report.Key(uint32(o.Type)).Message("b", m, ""); f != nil {
			f.Messagef("the %s sent an RDMA2_OPTIONAL with rdma_opttype %d, which no document defines", c.Sender(m.From), uint32(o.Type))
			f.See("rdma_opttype", uint32(o.Type), "1 to 4").Word(m, atType)
		}
	}
}
