package ulb

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// assignedPort is that of NFS over RPC-over-RDMA (RFC 8267, section 9).
const assignedPort = 20049

func ulb017() rules.Check {
	return rules.Check{
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(0, rpc017), rules.OnPublished(asker017), rules.OnPublished(user017)},
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

func rpc017(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if k := state.IfAny(c); r.Call == nil || k != nil && k.used {
		return
	}
	h := r.CallHeader()
	if h == nil || !c.RolesKnown || r.Reverse() {
		return
	}
	if h.Program == rpc.ProgramRPCBind {
		rules.Publish(c, asker{c.Client().Addr})
		return
	}
	if !values.IsCompound(h) {
		return
	}
	state.Of(c).used = true
	if port := c.Server().Port; port != 0 && port != assignedPort {
		native := c.Transport == link.InfiniBand
		if native {
			report = report.As(finding.Note)
		}
		if f := report.Part("", r, r.Call, ""); f != nil {
			f.Messagef("NFS version 4 is served on port %d", port).See("port", port, assignedPort)
		}
		return
	}
	rules.Publish(c, user{c.Client().Addr, rules.AboutPart(r, r.Call)})
}

func asker017(e *rules.ConnRef, x *asker, _ rules.Reporter) {
	crossState(e.CrossConnection).askers.addAsker(x.client)
}

func user017(e *rules.ConnRef, x *user, report rules.Reporter) {
	if !crossState(e.CrossConnection).askers.has(x.client) {
		return
	}
	report.About("b", x.about, "").
		Messagef("the client queried rpcbind before it used NFS version 4")
}

func (a *askers) has(x link.Addr) bool {
	for i := range a.list {
		if a.list[i] == x {
			return true
		}
	}
	return false
}

func (a *askers) addAsker(x link.Addr) {
	if len(a.list) < mostAskers && !a.has(x) {
		a.list = append(a.list, x)
	}
}
