package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func ulb002() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-002", Title: "Matching Write chunk not used",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A READ or READLINK returned data, and the call had a Write chunk with room for them, but the server sent them inline " +
			"or in the Reply chunk.",
		Why: "A client that offers a Write chunk looks for the data there. Some clients fail the operation, others have to copy; " +
			"the reply may not fit where it was sent, since nobody counted on the data.",
		Advice: "The server has to use the Write chunk for every such result, however small. A client that wants a result inline leaves " +
			"the Write list out, or sends an empty chunk in that place.",
		Reference: "RFC 8267, section 6.4.1; RFC 8166, section 4.3.2; draft-dnoveck-nfsv4-nfsulb-01, section 5.3",
		Gates:     rules.Gates{rules.SilentIf(rules.Unpaired, rules.Cut, rules.Protected)},
		Limits: "READ_PLUS is ULB-006's. Silent if the chunk is too small for the data, if the result has no octets, or if the reply " +
			"cannot be decoded to its end.",
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{compounds()},
		On:     []rules.Event{rules.OnRPC(rules.WithWrites, rpc002)},
		Fires: []rules.Sample{
			{Name: "NFS 3 READ returns its data inline", Scene: `
				connect
				call 1 NFS3 READ count=400
				    write 0x801 400
				reply 1 count=400 data=bytes(400)
				    unused
				    want ULB-002
				disconnect`},
			{Name: "the data travel with the rest in the Reply chunk", Scene: `
				connect
				call 1 NFS3 READLINK
				    write 0x801 1024
				    replychunk 0x802 4096
				reply 1 data=text(600)
				    unused
				    want ULB-002 write1
				disconnect`},
			{Name: "the second READ of a COMPOUND is inline", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ{count=4096} READ{offset=4096 count=4096}]
				    write 0x801 4096
				    write 0x802 4096
				reply 1 [PUTFH READ{data=bytes(4096)} READ{data=bytes(100)}]
				    fill 2 none
				    want ULB-002
				disconnect`},
			{Name: "a READ of version 2 returns its data inline", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=400
				    write 0x801 400
				reply 2 data=bytes(400)
				    unused
				    want ULB-002
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "nothing to return at the end of the file", Scene: `
				connect
				call 1 NFS3 READ offset=4096 count=400
				    write 0x801 400
				reply 1 count=0 eof=TRUE
				disconnect`},
			{Name: "the chunk is one octet too small", Scene: `
				connect
				call 1 NFS3 READLINK
				    write 0x801 1024
				reply 1 data=text(1025)
				    unused
				disconnect`},
			{Name: "RPCSEC_GSS protects the reply, so that nothing may be placed", Scene: `
				connect
				call 1 NFS3 READ count=400
				    cred gss service=integrity
				    write 0x801 400
				reply 1 count=400 data=bytes(400)
				    unused
				disconnect`},
			{Name: "an empty chunk asks for the data inline", Scene: `
				connect
				call 1 NFS3 READ count=400
				    write empty
				reply 1 count=400 data=bytes(400)
				disconnect`},
		},
	}
}

func rpc002(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	s := readingsOf(c)
	list := s.of(c, r)
	for i := range list {
		x := &list[i]
		if x.op == values.OpReadPlus || x.item == nil || x.item.Chunk >= 0 || x.data() == 0 {
			continue
		}
		room, unused := x.unused(r)
		if !unused {
			continue
		}
		if f := say.RPC("", r, ""); f != nil {
			where := "inline"
			if r.Reply.Transfer == dissect.Long {
				where = "in the Reply chunk"
			}
			f.Sayf("%s returned %d octets %s, while %s has room for %d", x.name, x.data(), where, rpcrdma.WriteChunkName(x.order), room)
			f.See("data in "+rpcrdma.WriteChunkName(x.order), 0, x.data())
			f.Body(r.Reply, r.Reply.Body(), int(x.item.Offset), int(x.item.Length))
			f.WriteChunk(r.Reply, x.order)
		}
		return
	}
}
