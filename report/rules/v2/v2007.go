package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func v2007() *rules.Rule {
	return &rules.Rule{
		ID: "V2-007", Title: "Wrong error chosen, or none",
		Severity: rules.Error,
		Since:    "0.6",
		Meaning: "A message of version 2 that its receiver cannot take got another error than version 2 asks for, or a reply, or nothing: " +
			"RDMA2_ERR_INVAL_PROC is for a procedure that is not known, RDMA2_ERR_BAD_XDR for a header that cannot be decoded, " +
			"RDMA2_ERR_INVAL_OPTION for an option that is not known. Or one of these answers a message that cannot deserve it.",
		Why: "The code is how a peer learns what the other supports: it stops using what draws INVAL_OPTION, and takes BAD_XDR for a fault of its own. " +
			"Without any answer the request keeps its credit until the connection ends.",
		Advice: "Look at the order in which the responder judges a header: first the version, then the procedure, then the XDR, and each step " +
			"with an error of its own.",
		Reference: "draft-cel-nfsv4-rpcrdma-version-two-02, sections 4.1 and 5.2.4",
		Gates: rules.Gates{
			rules.SilentIf(rules.Unpaired, rules.Cut),
			rules.LikelyIf(rules.LostSince).In("a").Since("the request"),
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.AnyCut, rules.NearEnd).Of("a missing answer"),
		},
		Limits: "A version that is not defined is HDR-015's, an operation of transport characteristics XCHAR-010's. A responder that " +
			"is not known to speak version 2 may answer anything with ERR_VERS. Whether a responder knows an option that rdmacap " +
			"does not know cannot be seen, so a reply to it, and silence, are not judged. That a reply did not fit shows only by " +
			"RDMA2_ERR_CANT_REPLY itself. Silence counts as for HDR-015: only where a later request of the client was answered.",
		Cases: []rules.Case{
			{Letter: "a", Title: "another answer than the error that is due", Severity: rules.Error},
			{Letter: "b", Title: "a procedure or an option that is not defined", Severity: rules.Note,
				Advice: "Nothing, if the peers try an extension that is not published: the receiver's answer tells whether it knows it."},
		},
		Causes: []string{"HDR-003", "V2-001"},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownRequests()},
		On:     []rules.Event{rules.OnMessage(rules.OtherVersion, message007), rules.OnEnd(end007)},
		Fires: []rules.Sample{
			{Name: "BAD_XDR for a procedure that is not known", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    proc 7
				    want V2-007b proc
				error 2 BAD_XDR
				    want V2-007a err
				disconnect`},
			{Name: "a header that cannot be decoded gets a reply", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    direction 7
				    want V2-001d
				reply 2
				    want V2-007a proc
				disconnect`},
			{Name: "a header that cannot be decoded gets nothing", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    direction 7
				    want V2-001d
				    want V2-007a
				call 3 NFS3 NULL
				reply 3
				wait 5s
				call 4 NFS3 NULL
				reply 4
				disconnect`},
			{Name: "INVAL_PROC for an option", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				optional 2 client 77 bytes(4)
				    want V2-007b opttype
				error 2 INVAL_PROC
				    want V2-007a err
				disconnect`},
			{Name: "INVAL_OPTION for a call", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				error 2 INVAL_OPTION
				    want V2-007a err
				disconnect`},
			{Name: "ERR_VERS for a procedure, from a responder of version 2", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    proc 2
				    want V2-007b proc
				error 2 ERR_VERS 2 2
				    want V2-007a err
				    want HDR-013c
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the right errors", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    direction 7
				    want V2-001d
				error 2 BAD_XDR
				optional 3 client INIT_XCHAR [RBSIZ=8192]
				error 3 INVAL_OPTION
				call 4 NFS3 READ count=100
				    write 0x1001 50
				    want DDP-020a
				error 4 CANT_REPLY FALSE 1 100
				call 5 NFS3 NULL
				reply 5
				disconnect`},
			{Name: "nothing was answered since", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    direction 7
				    want V2-001d
				wait 5s
				call 3 NFS3 NULL`},
			{Name: "the server closes the connection instead", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    direction 7
				    want V2-001d
				call 3 NFS3 NULL
				reply 3
				wait 1500ms
				disconnect server`},
			{Name: "the error may be missing from the capture", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    direction 7
				    want V2-001d
				error 2 BAD_XDR
				    drop
				call 3 NFS3 NULL
				reply 3
				wait 5s
				call 4 NFS3 NULL
				reply 4
				disconnect`},
			{Name: "a responder of version 1 knows no procedure of version 2", Scene: `
				connect version=2
				call 1 NFS3 NULL
				    direction 7
				    want V2-001d
				    want V2-009e
				error 1 ERR_VERS 1 1
				version 1
				call 1 again
				reply 1
				disconnect`},
		},
	}
}

// doubtKnown is why an option may get another error than INVAL_OPTION.
const doubtKnown = "the responder may know the option"

func message007(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if !spoken(m) || m.Header.Length < rpcrdma.FixedSize || c.Cut(m) {
		return
	}
	if h := &m.Header; h.Proc == rpcrdma.RDMAError {
		if !h.Fault.Bad() {
			wrong(c, say, requestsOf(c), m)
		}
		return
	}
	strange(c, say, m)
	if m.Answer && !m.Header.Fault.Bad() {
		lax(c, say, requestsOf(c), m)
	}
}

func end007(c *rules.Conn, say rules.Say) {
	b := requestsOf(c)
	for r := range b.list.All() {
		// Of the server it may be an answer, to a call that is missing.
		if r.From == c.ClientEnd && c.RolesKnown && !r.answered {
			silent(c, say, b, r)
		}
	}
}

// strange notes what the draft does not define.
func strange(c *rules.Conn, say rules.Say, m *dissect.Message) {
	h := &m.Header
	switch o := h.Option(); {
	case h.Fault.Bad() && h.Fault.Offset == rpcrdma.AtProc:
		if f := say.Key(uint32(h.Proc)).Message("b", m, ""); f != nil {
			f.Sayf("the %s sent a message with rdma_proc %d, which version 2 does not define", c.Sender(m.From), uint32(h.Proc))
			f.See("rdma_proc", uint32(h.Proc), "0, 1, 4 or 5").Word(m, rpcrdma.AtProc)
		}
	case o != nil && !h.Fault.Bad() && !o.Known():
		if f := say.Key(uint32(o.Type)).Message("b", m, ""); f != nil {
			f.Sayf("the %s sent an RDMA2_OPTIONAL with rdma_opttype %d, which no document defines", c.Sender(m.From), uint32(o.Type))
			f.See("rdma_opttype", uint32(o.Type), "1 to 4").Word(m, atType)
		}
	}
}
