package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func ulb005() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-005", Title: "READ_PLUS with unsuitable Write chunks",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A call with READ_PLUS offers more than one Write chunk for it, or a chunk that is neither empty nor large enough for all " +
			"the octets that it asks for.",
		Why: "READ_PLUS may return any number of elements. Over RDMA the size of its reply is only bounded because one chunk takes " +
			"one element, and that can have everything that was asked for.",
		Advice:    "Offer one Write chunk of at least rpa_count octets for each READ_PLUS, or an empty one to have everything inline.",
		Reference: "draft-dnoveck-nfsv4-nfsulb-01, section 5.1.1",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut, rules.Protected)},
		Limits: "Chunks are attributed to operations by their order. Surplus chunks are only told where all READ-class operations of the " +
			"COMPOUND are READ_PLUS. No RFC has these restrictions.",
		Cases: []rules.Case{
			{Letter: "a", Title: "more than one Write chunk for one READ_PLUS", Severity: rules.Error},
			{Letter: "b", Title: "a Write chunk smaller than rpa_count", Severity: rules.Error},
		},
		Causes: []string{"DDP-020a"},
		Fields: []string{plusCount},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{compounds()},
		On:     []rules.Event{rules.OnRPC(rules.WithWrites, rpc005)},
		Fires: []rules.Sample{
			{Name: "two chunks for one READ_PLUS", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=4096}]
				    write 0x801 4096
				    write 0x802 4096
				    want ULB-005a write2
				reply 1 [PUTFH READ_PLUS{rpr_eof=TRUE}]
				disconnect`},
			{Name: "the chunk is too small", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=8192}]
				    write 0x801 4096
				    want ULB-005b write1
				    want DDP-020a
				reply 1 [PUTFH READ_PLUS{rpr_eof=TRUE}]
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "one chunk, just large enough", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=4096}]
				    write 0x801 4096
				reply 1 [PUTFH READ_PLUS{rpr_eof=TRUE}]
				disconnect`},
			{Name: "an empty chunk", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=4096}]
				    write empty
				reply 1 [PUTFH READ_PLUS{rpr_eof=TRUE}]
				disconnect`},
			{Name: "a READ and a READ_PLUS have a chunk each", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ{count=100} READ_PLUS{rpa_count=4096}]
				    write 0x801 100
				    write 0x802 4096
				reply 1 [PUTFH READ{data=bytes(100)} READ_PLUS{rpr_eof=TRUE}]
				disconnect`},
		},
	}
}

func rpc005(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	x := compoundOf(c, r)
	if x.call == nil || !x.has.has(values.OpReadPlus) || len(r.Call.Header.Writes) == 0 {
		return
	}
	h := &r.Call.Header
	order, only := 0, true
	for i := range x.call.Events {
		e := &x.call.Events[i]
		if e.Kind != walk.Operation || readClass(e.Value) == "" {
			continue
		}
		if e.Value != values.OpReadPlus {
			only = false
		} else if asked, room := all(c).plusCount.Number(x.call, values.Within(x.call, i)), h.WriteLength(order); room > 0 && room < asked {
			if f := say.Part("b", r, r.Call, ""); f != nil {
				f.Sayf("READ_PLUS asks for %d octets, and its Write chunk has room for %d", asked, room)
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
		if f := say.Part("a", r, r.Call, ""); f != nil {
			f.Sayf("%s has room for %d octets, and there are %d READ_PLUS", rpcrdma.WriteChunkName(k), h.WriteLength(k), order)
			f.See("Write chunks", len(h.Writes), order)
			f.WriteChunk(r.Call, k)
		}
		break
	}
}
