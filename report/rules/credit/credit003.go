package credit

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func credit003() *rules.Rule {
	return &rules.Rule{
		ID: "CREDIT-003", Title: "Zero credits",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The credit field of a message is zero: a reply or an RDMA_ERROR that grants no credits, " +
			"or a call that asks for none.",
		Why: "A requester without credits may send nothing, and so never gets the reply that would grant it some: " +
			"the connection is deadlocked by definition. Linux peers take a grant of zero for one.",
		Advice:    "Look at how the sender fills rdma_credit: it must always be at least one.",
		Reference: "RFC 8166, section 3.3.1",
		Limits: "Silent where it is not known whether a message is a call or a reply, since its credits then have no " +
			"direction (RFC 8167, section 4.1).",
		Cases: []rules.Case{
			{Letter: "a", Title: "a reply or an RDMA_ERROR grants none", Severity: rules.Error},
			{Letter: "b", Title: "a call asks for none", Severity: rules.Warning},
		},
		Wide:   true,
		Causes: []string{"CREDIT-005"},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.WithoutCredits, message003)},
		Fires: []rules.Sample{
			{Name: "a reply grants no credits", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    credits 0
				    want CREDIT-003a 8+4
				disconnect`},
			{Name: "a call asks for none", Scene: `
				connect
				call 1 NFS3 GETATTR
				    credits 0
				    want CREDIT-003b 8+4
				reply 1
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "one credit is enough", Scene: `
				connect
				call 1 NFS3 GETATTR
				    credits 1
				reply 1
				    credits 1
				disconnect`},
		},
	}
}

func message003(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if m.Header.Credits != 0 || m.Header.Length < rpcrdma.AtCredits+xdr.WordSize || m.Role() == dissect.RoleNone {
		return
	}
	letter, what := "b", "asks for 0 credits"
	if m.Answer {
		letter, what = "a", "grants 0 credits"
	}
	if f := say.Message(letter, m, ""); f != nil {
		f.Sayf("the %s %s in %s", c.Sender(m.From), what, m.Header.ProcName())
		f.See("rdma_credit", 0, "at least 1").Word(m, rpcrdma.AtCredits)
	}
}
