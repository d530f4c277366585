package ulb

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ulb004() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Unpaired, rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{compounds()},
		On:          []rules.Event{rules.OnRPC(rules.WithWrites, rpc004)},
	}
}

func rpc004(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	s := readingsOf(c)
	list := s.listOf(c, r)
	for i := range list {
		x := &list[i]
		if x.item != nil {
			continue
		}
		k, certain := x.chunk()
		taken := slices.ContainsFunc(s.list[i:], func(y reading) bool { return y.item != nil && int(y.item.Chunk) == k })
		if certain && !taken && r.Call.Header.WriteLength(k) > 0 && k < len(r.Reply.Header.Writes) {
			form004(report, r, x, k)
		}
		return
	}
}

// form004 says in which form the chunk of a reading without data came back.
func form004(report rules.Reporter, r *dissect.RPC, x *reading, k int) {
	call, reply := &r.Call.Header, &r.Reply.Header
	letter, form := "d", "unused (with segments of length 0)"
	switch n := reply.WriteLength(k); {
	case reply.Writes[k].Count == 0:
		letter, form = "c", "empty (without segments)"
	case n > 0 && slices.EqualFunc(call.ChunkSegments(call.Writes[k]), reply.ChunkSegments(reply.Writes[k]), sameLength):
		letter, form = "b", "with the offered lengths"
	case n > 0:
		letter, form = "a", "with a nonzero length"
	}
	if f := report.RPC(letter, r, ""); f != nil {
		f.Messagef("%s returned no data, and %s came back %s", x.name, rpcrdma.WriteChunkName(k), form)
		if n := reply.WriteLength(k); n > 0 {
			f.See("length of "+rpcrdma.WriteChunkName(k), n, 0)
		} else {
			f.See("segments of "+rpcrdma.WriteChunkName(k), reply.Writes[k].Count, nil)
		}
		f.WriteChunk(r.Reply, k)
	}
}

func sameLength(a, b rpcrdma.Segment) bool { return a.Length == b.Length }
