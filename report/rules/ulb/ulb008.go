package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ulb008() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnRPC(rules.WithWrites, rpc008)},
	}
}

func rpc008(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil || len(r.Call.Header.Writes) == 0 {
		return
	}
	h := called(c, r)
	if h == nil || !legacy(h) {
		return
	}
	reads := h.Procedure == numbers.ProcRead || h.Procedure == numbers.ProcReadlink
	chunks, at := roomy(&r.Call.Header)
	if chunks == 0 || chunks == 1 && reads {
		return
	}
	f := report.Part("", r, r.Call, "")
	if f == nil {
		return
	}
	if reads {
		f.Messagef("the call offers %d Write chunks, but its procedure has only one result that may be in a chunk", chunks)
		f.See("Write chunks", chunks, 1)
	} else {
		f.Messagef("the call offers a Write chunk of %d bytes, but its procedure has no result that may be in one", r.Call.Header.WriteLength(at))
		f.See("Write chunks", chunks, 0)
	}
	f.WriteChunk(r.Call, at)
}
