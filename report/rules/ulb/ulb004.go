package ulb

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ulb004() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-004", Title: "Unused Write chunk returned in an unexpected form",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A READ-class operation brought no data, since it failed, was not reached or found a hole, and its Write chunk came back " +
			"in one of four forms.",
		Why: "The lengths of a returned chunk say what the server wrote. With other lengths than zero a client may take old memory " +
			"for data. Empty and unused chunks are both in use: RFC 8166 has the one, RFC 8267 the other.",
		Advice: "A server should set the lengths of all segments of a chunk that it did not use to zero. Clients should accept " +
			"a chunk without segments as well.",
		Reference: "RFC 8166, section 4.3.2.2; RFC 8267, section 6.4.1; draft-dnoveck-nfsv4-nfsulb-01, section 5.3",
		Gates:     rules.Gates{rules.SilentIf(rules.Unpaired, rules.Cut, rules.Protected)},
		Limits: "Silent where an operation without data came before, since the documents differ on whose the chunk is then, and if the " +
			"reply cannot be decoded to its end. That the server wrote into the chunk before it failed is allowed and not looked " +
			"at.",
		Cases: []rules.Case{
			{Letter: "a", Title: "with a length that is not zero", Severity: rules.Warning},
			{Letter: "b", Title: "with the lengths that the client offered", Severity: rules.Warning},
			{Letter: "c", Title: "empty, without segments", Severity: rules.Note, Advice: "Nothing needs to be done: RFC 8267 asks for this form."},
			{Letter: "d", Title: "unused, with segments of length zero", Severity: rules.Note, Advice: "Nothing needs to be done: RFC 8166 asks for this form."},
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{compounds()},
		On:     []rules.Event{rules.OnRPC(rules.WithWrites, rpc004)},
		Fires: []rules.Sample{
			{Name: "a READ that failed returns some octets", Scene: `
				connect
				call 1 NFS3 READ count=4096
				    write 0x801 4096
				rdma write server 0x801 100
				reply 1 NFS3ERR_IO
				    returns write 0x801 100
				    want ULB-004a write1
				disconnect`},
			{Name: "the chunk comes back as it was offered", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ{count=4096}]
				    write 0x801 4096
				rdma write server 0x801 4096
				reply 1 [PUTFH READ{status=NFS4ERR_IO}]
				    returns write 0x801 4096
				    want ULB-004b write1
				disconnect`},
			{Name: "empty", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ{count=4096}]
				    write 0x801 4096
				reply 1 [PUTFH READ{status=NFS4ERR_IO}]
				    returns write empty
				    want ULB-004c write1
				disconnect`},
			{Name: "unused, since READ_PLUS found a hole", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=4096}]
				    write 0x801 4096
				reply 1 [PUTFH READ_PLUS{rpr_eof=TRUE rpr_contents=[{NFS4_CONTENT_HOLE di_length=4096}]}]
				    want ULB-004d write1
				disconnect`},
			{Name: "unused, since the filehandle was stale", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ{count=4096}]
				    write 0x801 4096
				reply 1 [PUTFH{status=NFS4ERR_STALE}]
				    returns write 0x801 0
				    want ULB-004d write1
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "an unused chunk that a later result takes", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=4096} READ{count=4096}]
				    write 0x801 4096
				    write 0x802 4096
				reply 1 [PUTFH READ_PLUS{rpr_eof=TRUE rpr_contents=[{NFS4_CONTENT_HOLE di_length=4096}]} READ{data=bytes(4096)}]
				disconnect`},
			{Name: "a READ that succeeded without data", Scene: `
				connect
				call 1 NFS3 READ offset=4096 count=4096
				    write 0x801 4096
				reply 1 count=0 eof=TRUE
				disconnect`},
		},
	}
}

func rpc004(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	s := readingsOf(c)
	list := s.of(c, r)
	for i := range list {
		x := &list[i]
		if x.item != nil {
			continue
		}
		k, certain := x.chunk()
		taken := slices.ContainsFunc(s.list[i:], func(y reading) bool { return y.item != nil && int(y.item.Chunk) == k })
		if certain && !taken && r.Call.Header.WriteLength(k) > 0 && k < len(r.Reply.Header.Writes) {
			form004(say, r, x, k)
		}
		return
	}
}

// form004 says in which form the chunk of a reading without data came back.
func form004(say rules.Say, r *dissect.RPC, x *reading, k int) {
	call, reply := &r.Call.Header, &r.Reply.Header
	letter, form := "d", "unused: with its segments, of length 0"
	switch n := reply.WriteLength(k); {
	case reply.Writes[k].Count == 0:
		letter, form = "c", "empty: without segments"
	case n > 0 && slices.EqualFunc(call.ChunkSegments(call.Writes[k]), reply.ChunkSegments(reply.Writes[k]), sameLength):
		letter, form = "b", "with the lengths that were offered"
	case n > 0:
		letter, form = "a", "with a length"
	}
	if f := say.RPC(letter, r, ""); f != nil {
		f.Sayf("%s brought no data, and %s came back %s", x.name, rpcrdma.WriteChunkName(k), form)
		f.See("length of "+rpcrdma.WriteChunkName(k), reply.WriteLength(k), 0)
		f.WriteChunk(r.Reply, k)
	}
}

func sameLength(a, b rpcrdma.Segment) bool { return a.Length == b.Length }
