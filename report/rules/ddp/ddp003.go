package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
)

func ddp003() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-003", Title: "DDP violation not reported",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A call reduced what is not eligible, and its responder executed it. It should have reported the " +
			"violation: by RDMA_ERROR with ERR_CHUNK, in version 2 by an RDMA2_ERROR, or by a reply with GARBAGE_ARGS.",
		Why: "The requester's fault stays hidden until it meets another responder that is strict, or until the lenient " +
			"one decodes something wrong.",
		Advice: "Correct the requester first: the finding about its call says what it reduced. In the responder, check " +
			"each Read chunk against the items of the arguments before they are used.",
		Reference: "RFC 8166, sections 3.4.2 and 4.5.2; RFC 8267, section 3; draft-cel-nfsv4-rpcrdma-version-two-02, section 5.2.4",
		Gates:     rules.Gates{rules.DetailIf(rules.Cut)},
		Limits: "Armed only by certain findings DDP-001 and DDP-004 of severity error about the call. Silent where the " +
			"call was rejected for another reason (its credential, its program), where NFS itself says BADXDR, and where " +
			"there is no reply: the responder may close the connection instead. In version 2 any error counts as a report " +
			"but RDMA2_ERR_CANT_REPLY with rdma_processed TRUE.",
		Causes: []string{"DDP-001", "DDP-004"},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{memory.JudgeKnowledge()},
		On:     []rules.Event{rules.OnJudged(rules.Suspect, judged003)},
		Fires: []rules.Sample{
			{Name: "a reduced name is accepted", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} LOOKUP{objname=text(2000)}]
				    read 0x1001 2000 at objname
				    want DDP-001
				reply 1
				    want DDP-003
				disconnect`},
			{Name: "a reduced name is processed, and only then the reply does not fit", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} LOOKUP{objname=text(2000)}]
				    read 0x1001 2000 at objname
				    want DDP-001
				error 2 CANT_REPLY TRUE 0 0
				    want DDP-003 processed
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "GARBAGE_ARGS reports it", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} LOOKUP{objname=text(2000)}]
				    read 0x1001 2000 at objname
				    want DDP-001
				reply 1 GARBAGE_ARGS
				disconnect`},
			{Name: "RDMA2_ERRORs of which none says that the call was processed", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} LOOKUP{objname=text(2000)}]
				    read 0x1001 2000 at objname
				    want DDP-001
				error 2 BAD_XDR
				call 3 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} LOOKUP{objname=text(2000)}]
				    read 0x1001 2000 at objname
				error 3 CANT_REPLY FALSE 0 0
				disconnect`},
			{Name: "ERR_CHUNK reports it", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} LOOKUP{objname=text(2000)}]
				    read 0x1001 2000 at objname
				    want DDP-001
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "the credential was rejected before the arguments were looked at", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} LOOKUP{objname=text(2000)}]
				    read 0x1001 2000 at objname
				    want DDP-001
				reply 1 AUTH_ERROR 1
				disconnect`},
		},
	}
}

func judged003(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	j := memory.JudgeOf(c)
	said := c.Said(r)
	if len(said) == 0 || r.Reply == nil {
		return
	}
	h, late := r.ReplyHeader(), processed(c, r.Reply)
	if !late && (h == nil || h.Denied || h.Accept != rpc.Success && h.Accept != rpc.SystemErr) {
		return
	}
	for _, v := range said {
		if v.Rule.ID != "DDP-001" && v.Rule.ID != "DDP-004" || v.Finding.Severity != rules.Error || v.Finding.Doubt != "" {
			continue
		}
		if name, _ := r.Status(); name == "NFS4ERR_BADXDR" || j.Resent(r) {
			return
		}
		if f := say.Part("", r, r.Reply, ""); f != nil && late {
			f.Sayf("the %s processed a call that violates its binding (%s), and answered %s", c.Sender(r.Reply.From), v.ID(), r.Reply.Header.ErrorName())
			f.See("rdma_processed", true, false).Word(r.Reply, r.Reply.Header.ErrorAt()+xdr.WordSize)
		} else if f != nil {
			f.Sayf("the %s answered %s to a call that violates its binding (%s)", c.Sender(r.Reply.From), h.Status(), v.ID())
			f.See("accept_stat", h.Status(), "GARBAGE_ARGS, or an RDMA_ERROR")
			if r.Reply.Header.Proc == rpcrdma.RDMAMsg { // accept_stat is the last word of the reply's header
				f.Word(r.Reply, r.Reply.Header.Length+h.Length-xdr.WordSize)
			}
		}
		return
	}
}

// processed reports whether a message is an RDMA2_ERROR that says that the call was
// carried out.
func processed(c *rules.Conn, m *dissect.Message) bool {
	h := &m.Header
	return h.Proc == rpcrdma.RDMAError && c.Sound(m) && h.Version == rpcrdma.Version2 && h.Error == rpcrdma.Err2CantReply && h.Processed
}
