package ulb

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

// assignedPort is that of NFS over RPC-over-RDMA (RFC 8267, section 9).
const assignedPort = 20049

func ulb017() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-017", Title: "NFS version 4 server not on the assigned port",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning:  "A server of NFS version 4 takes connections on another port than 20049, or its client asked rpcbind where it is.",
		Why: "Clients of version 4 go to the assigned port without asking. Others do not find this server, and rules of firewalls and " +
			"of traffic classes for NFS do not apply to it.",
		Advice:    "Let the server listen on port 20049. In a test, or behind a port that is forwarded on purpose, leave the rule out.",
		Reference: "RFC 8267, sections 6.3 and 9; draft-dnoveck-nfsv4-nfsulb-01, section 7",
		Limits: "Silent if the service's port is not known. On native InfiniBand, whose port space is its own, it is a note. A query of rpcbind " +
			"shows only if it went over RDMA too. Versions 2 and 3 may use any port.",
		Cases: []rules.Case{
			{Letter: "b", Title: "the client asked rpcbind before", Severity: rules.Note,
				Advice: "Nothing needs to be done: a client of version 4 need not ask."},
		},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(0, rpc017), rules.OnPosted(asker017), rules.OnPosted(user017)},
		Fires: []rules.Sample{
			{Name: "port 2049", Scene: `
				connect port=2049
				call 1 NFS4 COMPOUND [PUTROOTFH GETFH]
				    want ULB-017
				reply 1
				disconnect`},
			{Name: "rpcbind before NFS", Scene: `
				connect
				call 1 RPCBIND4 GETADDR
				reply 1
				call 2 NFS4 COMPOUND [PUTROOTFH GETFH]
				    want ULB-017b
				reply 2
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "version 3 on port 2049", Scene: `
				connect port=2049
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
			{Name: "version 4 on the assigned port", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTROOTFH GETFH]
				reply 1
				disconnect`},
		},
	}
}

// askers are the clients of a capture that asked rpcbind, as many as matter.
type askers struct{ list []link.Addr }

const mostAskers = 256

// An asker is a client that asked rpcbind, a user one that calls NFS version 4 for the
// first time on its connection.
type (
	asker struct{ client link.Addr }
	user  struct {
		client link.Addr
		about  *rules.About
	}
)

func rpc017(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if k := ifAny(c); r.Call == nil || k != nil && k.used {
		return
	}
	h := r.CallHeader()
	if h == nil || !c.RolesKnown || r.Reverse() {
		return
	}
	if h.Program == rpc.ProgramRPCBind {
		rules.Post(c, asker{c.Client().Addr})
		return
	}
	if !values.IsCompound(h) {
		return
	}
	of(c).used = true
	if port := c.Server().Port; port != 0 && port != assignedPort {
		native := c.Transport == link.InfiniBand
		if native {
			say = say.As(rules.Note)
		}
		if f := say.Part("", r, r.Call, ""); f != nil {
			f.Sayf("NFS version 4 is served on port %d", port).See("port", port, assignedPort)
		}
		return
	}
	rules.Post(c, user{c.Client().Addr, rules.AboutPart(r, r.Call)})
}

func asker017(e *rules.Entry, x *asker, _ rules.Say) { across(e.Across).askers.add(x.client) }

func user017(e *rules.Entry, x *user, say rules.Say) {
	if !across(e.Across).askers.has(x.client) {
		return
	}
	if f := say.About("b", x.about, ""); f != nil {
		f.Sayf("the client asked rpcbind before it used NFS version 4")
	}
}

func (a *askers) has(x link.Addr) bool {
	for i := range a.list {
		if a.list[i] == x {
			return true
		}
	}
	return false
}

func (a *askers) add(x link.Addr) {
	if len(a.list) < mostAskers && !a.has(x) {
		a.list = append(a.list, x)
	}
}
