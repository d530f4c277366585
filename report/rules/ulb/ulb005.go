package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func ulb005() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Fields:      []string{plusCount},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{compounds()},
		On:          []rules.Event{rules.OnRPC(rules.WithWrites, rpc005)},
	}
}

func rpc005(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	x := compoundOf(c, r)
	if x.call == nil || !x.has.has(numbers.OpReadPlus) || len(r.Call.Header.Writes) == 0 {
		return
	}
	h := &r.Call.Header
	order, only := 0, true
	for i := range x.call.Events {
		e := &x.call.Events[i]
		if e.Kind != walk.Operation || readClass(e.Value) == "" {
			continue
		}
		if e.Value != numbers.OpReadPlus {
			only = false
		} else if asked, room := all(c).plusCount.Number(x.call, values.Within(x.call, i)), h.WriteLength(order); room > 0 && room < asked {
			if f := report.Part("b", r, r.Call, ""); f != nil {
				f.Messagef("READ_PLUS requests %d bytes, but its Write chunk has room for %d", asked, room)
				f.See("length of "+rpcrdma.WriteChunkName(order), room, asked)
				f.WriteChunk(r.Call, order)
			}
		}
		order++
	}
	for k := order; only && k < len(h.Writes); k++ {
		if h.WriteLength(k) == 0 {
			continue
		}
		if f := report.Part("a", r, r.Call, ""); f != nil {
			f.Messagef("%s has room for %d bytes, but the call has only %s", rpcrdma.WriteChunkName(k), h.WriteLength(k), field.Counted(order, "READ_PLUS operation"))
			f.See("Write chunks", len(h.Writes), order)
			f.WriteChunk(r.Call, k)
		}
		break
	}
}
