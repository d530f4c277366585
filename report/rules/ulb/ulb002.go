package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ulb002() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Unpaired, rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{compounds()},
		On:          []rules.Event{rules.OnRPC(rules.WithWrites, rpc002)},
	}
}

func rpc002(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	s := readingsOf(c)
	list := s.listOf(c, r)
	for i := range list {
		x := &list[i]
		if x.op == numbers.OpReadPlus || x.item == nil || x.item.Chunk >= 0 || x.data() == 0 {
			continue
		}
		room, unused := x.unused(r)
		if !unused {
			continue
		}
		if f := report.RPC("", r, ""); f != nil {
			where := "inline"
			if r.Reply.Transfer == dissect.Long {
				where = "in the Reply chunk"
			}
			f.Messagef("%s returned %d bytes %s, although %s has room for %d", x.name, x.data(), where, rpcrdma.WriteChunkName(x.order), room)
			f.See("data in "+rpcrdma.WriteChunkName(x.order), 0, x.data())
			f.Body(r.Reply, r.Reply.Body(), int(x.item.Offset), int(x.item.Length))
			f.WriteChunk(r.Reply, x.order)
		}
		return
	}
}
