package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func ddp003() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.DetailIf(rules.Cut)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{memory.CheckerKnowledge()},
		On:          []rules.Event{rules.OnCheckedRPC(rules.Suspect, checked003)},
	}
}

func checked003(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	j := memory.CheckerOf(c)
	said := c.Reported(r)
	if len(said) == 0 || r.Reply == nil {
		return
	}
	h, late := r.ReplyHeader(), processed(c, r.Reply)
	if !late && (h == nil || h.Denied || h.Accept != rpc.Success && h.Accept != rpc.SystemErr) {
		return
	}
	for _, v := range said {
		if v.Rule.ID != "DDP-001" && v.Rule.ID != "DDP-004" || v.Finding.Severity != finding.Error || v.Finding.Doubt != "" {
			continue
		}
		if name, _ := r.Status(); name == "NFS4ERR_BADXDR" || j.Resent(r) {
			return
		}
		if f := report.Part("", r, r.Reply, ""); f != nil && late {
			f.Messagef("the %s processed a call that violates its binding (%s), and then answered %s", c.Sender(r.Reply.From), v.ID(), r.Reply.Header.ErrorName())
			f.See("rdma_processed", true, false).Word(r.Reply, r.Reply.Header.ErrorAt()+xdr.WordSize)
		} else if f != nil {
			f.Messagef("the %s answered %s to a call that violates its binding (%s)", c.Sender(r.Reply.From), h.Status(), v.ID())
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
