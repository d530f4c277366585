package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ulb003() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-003", Title: "Empty or missing Write chunk not honoured",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The client asked for a result inline, by an empty Write chunk in its place or by offering fewer chunks than there " +
			"are READ-class operations, and the server placed it all the same or returned a chunk in another form.",
		Why: "The client has no buffer for that result. It assembles the reply wrongly, or takes another operation's buffer for this one's.",
		Advice: "The server has to return an empty chunk as it is and encode the result of its operation inline, as it does with " +
			"operations for which no chunk is left.",
		Reference: "RFC 8166, section 4.3.2.3; RFC 8267, section 6.4.1; draft-dnoveck-nfsv4-nfsulb-01, section 5.3",
		Gates:     rules.Gates{rules.SilentIf(rules.Unpaired, rules.Cut, rules.Protected)},
		Limits: "A surplus result that is neither inline nor in any chunk cannot be told from a reply cut short, and is not found. " +
			"Silent if the reply cannot be decoded to its end.",
		Cases: []rules.Case{
			{Letter: "a", Title: "data in a chunk although the one in their place is empty", Severity: rules.Error},
			{Letter: "b", Title: "an empty chunk returned as if it had room", Severity: rules.Error},
			{Letter: "c", Title: "data of a surplus operation in a chunk that was not offered", Severity: rules.Error},
		},
		Causes: []string{"HDR-010"},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{compounds()},
		On:     []rules.Event{rules.OnRPC(rules.WithWrites, rpc003)},
		Fires: []rules.Sample{
			{Name: "the READLINK's chunk is empty, its data are in the next", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READLINK READ{count=4096}]
				    write empty
				    write 0x802 4096
				reply 1 [PUTFH READLINK{link=text(40)} READ]
				    fill 2 item 1
				    want ULB-003a write2
				disconnect`},
			{Name: "an empty chunk comes back with a segment", Scene: `
				connect
				call 1 NFS3 READ count=400
				    write empty
				reply 1 count=400 data=bytes(400)
				    returns write 0x801 0
				    want ULB-003b write1
				    want HDR-010b
				disconnect`},
			{Name: "a chunk too many is returned for the second READ", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ{count=400} READ{offset=400 count=400}]
				    write 0x801 400
				reply 1 [PUTFH READ{data=bytes(400)} READ{data=bytes(400)}]
				    returns write 0x801 400
				    returns write 0x802 400
				    cut 400
				    want ULB-003c write2
				    want HDR-010a
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "an empty chunk, and the second READ without any", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ{count=400} READ{offset=400 count=400}]
				    write empty
				reply 1 [PUTFH READ{data=bytes(400)} READ{data=bytes(400)}]
				disconnect`},
		},
	}
}

func rpc003(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	s := readingsOf(c)
	list := s.of(c, r)
	if len(list) == 0 {
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
			if f := say.RPC("c", r, ""); f != nil {
				f.Sayf("the call offers %d Write chunks, and %s has its data in %s of the reply", len(call.Writes), x.name, rpcrdma.WriteChunkName(k))
				f.See("Write chunk", k+1, "inline")
				f.WriteChunk(r.Reply, k)
			}
		case call.WriteLength(x.order) == 0 && x.order < len(call.Writes):
			if f := say.RPC("a", r, ""); f != nil {
				f.Sayf("%s, which belongs to %s, is empty, but the data are in %s", rpcrdma.WriteChunkName(x.order), x.name, rpcrdma.WriteChunkName(k))
				f.See("Write chunk", k+1, "inline")
				f.WriteChunk(r.Reply, k)
			}
		}
	}
	for k := range call.Writes {
		if call.Writes[k].Count == 0 && k < len(reply.Writes) && reply.Writes[k].Count > 0 {
			if f := say.RPC("b", r, ""); f != nil {
				f.Sayf("%s was offered empty and came back with %d segments, %d octets", rpcrdma.WriteChunkName(k), reply.Writes[k].Count, reply.WriteLength(k))
				f.See("segments of "+rpcrdma.WriteChunkName(k), reply.Writes[k].Count, 0)
				f.WriteChunk(r.Reply, k)
			}
			return
		}
	}
}
