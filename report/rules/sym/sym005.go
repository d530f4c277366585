package sym

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/report/rules"
)

func sym005() rules.Check {
	return rules.Check{
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.Refused|rules.Failing, rpc005)},
	}
}

// A kind005 tells findings apart.
type kind005 struct {
	program   uint32
	operation string
	status    uint32
}

func rpc005(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	call, h := r.CallHeader(), r.ReplyHeader()
	switch {
	case call == nil || h == nil:
	case h.Denied:
		denied005(c, r, call, h, report)
	default:
		failed005(c, r, call, report)
	}
}

func denied005(c *rules.Conn, r *dissect.RPC, call *rpc.Call, h *rpc.Reply, report rules.Reporter) {
	if h.Reject != rpc.AuthError || h.Auth == rpc.GSSCredProblem || h.Auth == rpc.GSSCtxProblem {
		return
	}
	f := report.Key(kind005{call.Program, "", uint32(h.Auth)}).RPC("", r, "")
	if f == nil {
		return
	}
	f.Messagef("the %s denied a call because of its credential: %s", c.Sender(r.Reply.From), h.Auth)
	f.See("auth_stat", h.Auth.String(), nil).See("flavor of the credential", call.Cred.Flavor.String(), nil)
	if r.Reply.Transfer != dissect.Long {
		f.In(r.Reply, r.Reply.Header.Length+h.Length-8, 8)
	}
}

func failed005(c *rules.Conn, r *dissect.RPC, call *rpc.Call, report rules.Reporter) {
	status := r.StatusWord()
	if status == 0 {
		return
	}
	op, name := "MNT", ""
	switch {
	case call.Program == rpc.ProgramMount:
		name, _ = r.Status()
	case call.Program != rpc.ProgramNFS || call.Version != 4 || recovers(status):
		return
	default:
		if op, name = operation(r); !identifies(op) {
			return
		}
	}
	f := report.Key(kind005{call.Program, op, status}).RPC("", r, "")
	if f == nil {
		return
	}
	f.Messagef("the %s refused %s with %s", c.Sender(r.Reply.From), op, name)
	f.See("operation", op, nil).See("status", name, nil)
}

// recovers reports whether a client goes on by itself after a status.
func recovers(status uint32) bool {
	switch status {
	case numbers.StatusDelay, numbers.StatusGrace, numbers.StatusStaleClientid, numbers.StatusMinorVersMismatch, numbers.StatusCompleteAlready:
		return true
	}
	return false
}

// identifies reports whether a client makes itself known by an operation.
func identifies(op string) bool {
	switch op {
	case "EXCHANGE_ID", "CREATE_SESSION", "BIND_CONN_TO_SESSION", "RECLAIM_COMPLETE", "SETCLIENTID", "SETCLIENTID_CONFIRM":
		return true
	}
	return false
}
