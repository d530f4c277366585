package report

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
)

// rpc appends the members of an rpc record.
func (j *JSON) rpc(b *jsonBuffer, r *dissect.RPC) {
	b.number("connection", r.Connection)
	b.handle("xid", r.XID)
	b.bool("reverse", r.Reverse())
	if c := r.CallHeader(); c != nil {
		callHeader(b, c, r.Reverse())
	} else {
		for _, name := range [...]string{"program", "version", "procedure", "auth"} {
			b.null(name)
		}
		b.str("program_name", "")
		b.str("procedure_name", "")
	}
	j.half(b, "call", r.Call)
	j.half(b, "reply", r.Reply)
	if s := r.ReplyHeader(); s != nil {
		b.str("status", s.Status())
		if s.Denied && s.Reject == rpc.AuthError {
			b.str("auth_stat", s.Auth.String())
		}
		if mismatch(s) {
			b.uint("mismatch_low", uint64(s.Low))
			b.uint("mismatch_high", uint64(s.High))
		}
	} else {
		b.str("status", "")
	}
	j.words.take(r)
	status, _ := r.Status()
	b.str("nfs_status", status)
	b.list("ops")
	for i := range j.words.ops {
		b.object("")
		b.str("op", j.words.ops[i].Name)
		b.str("status", j.words.ops[i].Status)
		b.close('}')
	}
	b.close(']')
	j.words.line = j.words.appendSummary(j.words.line[:0], r)
	b.text("summary", j.words.line)
	if ns, ok := r.Latency(); ok {
		b.int("latency_ns", ns)
	} else {
		b.null("latency_ns")
	}
	b.uint("rdma_read_bytes", r.Offer.ReadOctets)
	b.uint("rdma_write_bytes", r.Offer.WriteOctets)
	j.frames(b, r.Frames)
	b.bool("complete", r.Complete)
	if !r.Complete {
		b.str("missing", r.Missing)
	}
}

func callHeader(b *jsonBuffer, c *rpc.Call, reverse bool) {
	b.uint("program", uint64(c.Program))
	name, procedure := rpc.ProgramName(c.Program), rpc.ProcedureName(c.Program, c.Version, c.Procedure)
	if reverse && name == "" {
		name, procedure = "NFS callback", rpc.CallbackProcedureName(c.Procedure)
	}
	b.str("program_name", name)
	b.uint("version", uint64(c.Version))
	b.uint("procedure", uint64(c.Procedure))
	b.str("procedure_name", procedure)
	b.str("auth", c.Cred.Flavor.String())
	if c.Cred.Flavor == rpc.RPCSECGSS {
		b.str("gss_service", c.Cred.GSS.Service.String())
		b.str("gss_proc", c.Cred.GSS.Proc.String())
	}
}

// half appends one of the two messages.
func (j *JSON) half(b *jsonBuffer, name string, m *dissect.Message) {
	if m == nil {
		b.null(name)
		return
	}
	b.object(name)
	j.message(b, m)
	b.uint("rpc_length", m.RPCLength)
	b.str("transfer", m.Transfer.String())
	b.close('}')
}
