package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ulb003() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Unpaired, rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{compounds()},
		On:          []rules.Event{rules.OnRPC(rules.WithWrites, rpc003)},
	}
}

func rpc003(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	s := readingsOf(c)
	list := s.listOf(c, r)
	if len(list) == 0 {
		surplus003(c, r, report)
		return
	}
	call, reply := &r.Call.Header, &r.Reply.Header
	for i := range list {
		x := &list[i]
		if x.item == nil || x.item.Chunk < 0 {
			continue
		}
		switch k := int(x.item.Chunk); {
		case k >= len(call.Writes):
			if f := report.RPC("c", r, ""); f != nil {
				f.Messagef("the call offers %s, but the data of %s is in %s of the reply", field.Counted(len(call.Writes), "Write chunk"), x.name, rpcrdma.WriteChunkName(k))
				f.See("Write chunk", k+1, "inline")
				f.WriteChunk(r.Reply, k)
			}
		case call.WriteLength(x.order) == 0 && x.order < len(call.Writes):
			if f := report.RPC("a", r, ""); f != nil {
				f.Messagef("%s, which belongs to %s, is empty, but the data is in %s", rpcrdma.WriteChunkName(x.order), x.name, rpcrdma.WriteChunkName(k))
				f.See("Write chunk", k+1, "inline")
				f.WriteChunk(r.Reply, k)
			}
		}
	}
	for k := range call.Writes {
		if call.Writes[k].Count == 0 && k < len(reply.Writes) && reply.Writes[k].Count > 0 {
			if f := report.RPC("b", r, ""); f != nil {
				f.Messagef("%s was offered empty and came back with %s of %d bytes", rpcrdma.WriteChunkName(k), field.Counted(reply.Writes[k].Count, "segment"), reply.WriteLength(k))
				f.See("segments of "+rpcrdma.WriteChunkName(k), reply.Writes[k].Count, 0)
				f.WriteChunk(r.Reply, k)
			}
			return
		}
	}
}

// surplus003 looks for a Write chunk with the data of two READ-class operations.
func surplus003(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	b := unreadableResult(c, r)
	if b == nil {
		return
	}
	k, first, second, ok := all(c).trial.shared(b)
	if !ok {
		return
	}
	if f := report.RPC("c", r, ""); f != nil {
		f.Messagef("%s has the data of two READ-class operations, %d bytes and %d; the call offers %s",
			rpcrdma.WriteChunkName(k), first, second, field.Counted(len(r.Call.Header.Writes), "Write chunk"))
		f.See("length of "+rpcrdma.WriteChunkName(k), b.Reduced.Writes[k], first)
		f.WriteChunk(r.Reply, k)
	}
}
