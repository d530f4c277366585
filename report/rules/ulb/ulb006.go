package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

// Fields of READ_PLUS and READ.
const (
	plusOffset   = "READ_PLUS4args.rpa_offset"
	plusCount    = "READ_PLUS4args.rpa_count"
	readOffset   = "READ4args.offset"
	plusContents = "READ_PLUS4res.rp_resok4.rpr_contents"
	plusEOF      = "READ_PLUS4res.rp_resok4.rpr_eof"
	plusData     = "READ_PLUS4res.rp_resok4.rpr_contents.rpc_data.d_data"
	plusHole     = "READ_PLUS4res.rp_resok4.rpr_contents.rpc_hole.di_length"
)

func ulb006() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-006", Title: "READ_PLUS result breaks the rules of the binding",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The result of READ_PLUS is not as the binding restricts it: its first data element in the Write chunk, and no more than " +
			"two elements in all.",
		Why: "The client sized its reply buffer for two elements, and expects data in the chunk. More or other data overrun the one and " +
			"are missing in the other.",
		Advice: "Let the server use the Write chunk for the first data element and end the result after two elements; the client asks " +
			"again for the rest. Where only RFC 8267 counts, use READ.",
		Reference: "draft-dnoveck-nfsv4-nfsulb-01, section 5.1.1; RFC 8267, section 6.1",
		Gates: rules.Gates{
			rules.SilentIf(rules.Unpaired, rules.Cut, rules.Protected),
			rules.SilentIf(rules.OneDirection, rules.LostSince, rules.NearEnd).In("c").Since("the reply"),
		},
		Limits: "A result in whose first data element the chunk was not used, but in a later one, can in general not be decoded, and is " +
			"not judged. Any READ or READ_PLUS within the range counts as the one that asks for the rest. The last 16 results " +
			"without the rest are remembered.",
		Cases: []rules.Case{
			{Letter: "a", Title: "the Write chunk not used for the first data element", Severity: rules.Error},
			{Letter: "b", Title: "more than two elements", Severity: rules.Error},
			{Letter: "c", Title: "nobody asks for the rest of a result that is not the end of the file", Severity: rules.Note,
				Advice: "If the reader still wanted these octets, the client takes a short result for the end of the file."},
			{Letter: "d", Title: "data of READ_PLUS placed in version 1, where RFC 8267 does not list them as eligible", Severity: rules.Note,
				Advice: "Nothing needs to be done if both peers know the later binding; others may refuse the chunk."},
		},
		Fields: []string{plusContents, plusEOF, plusData, plusHole, plusOffset, plusCount, readOffset},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{compounds()},
		On:     []rules.Event{onCompound(set(values.OpRead, values.OpReadPlus), compound006), rules.OnEnd(end006)},
		Fires: []rules.Sample{
			{Name: "data inline although there is a chunk", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=400}]
				    write 0x801 400
				reply 1 [PUTFH READ_PLUS{rpr_eof=TRUE rpr_contents=[{rpc_content=NFS4_CONTENT_DATA d_data=bytes(400)}]}]
				    unused
				    want ULB-006a
				disconnect`},
			{Name: "three elements", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=4096}]
				reply 1 [PUTFH READ_PLUS{rpr_eof=TRUE rpr_contents=[
				    {rpc_content=NFS4_CONTENT_DATA d_data=bytes(100)}
				    {rpc_content=NFS4_CONTENT_HOLE di_offset=100 di_length=3896}
				    {rpc_content=NFS4_CONTENT_DATA d_offset=3996 d_data=bytes(100)}]}]
				    want ULB-006b
				disconnect`},
			{Name: "half of what was asked for, and no second call", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=800}]
				reply 1 [PUTFH READ_PLUS{rpr_contents=[{rpc_content=NFS4_CONTENT_DATA d_data=bytes(400)}]}]
				    want ULB-006c
				wait 2s
				disconnect`},
			{Name: "data in a Write chunk", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=400}]
				    write 0x801 400
				reply 1 [PUTFH READ_PLUS{rpr_eof=TRUE rpr_contents=[{rpc_content=NFS4_CONTENT_DATA d_data=bytes(400)}]}]
				    want ULB-006d write1
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "data in a Write chunk, in version 2", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=4096}]
				    write 0x801 4096
				reply 2 [PUTFH READ_PLUS{rpr_contents=[NFS4_CONTENT_DATA{d_data=bytes(4096)}] rpr_eof=TRUE}]
				disconnect`},
			{Name: "a hole first, then data inline; the rest is asked for", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=800}]
				    write empty
				reply 1 [PUTFH READ_PLUS{rpr_contents=[
				    {rpc_content=NFS4_CONTENT_HOLE di_length=100}
				    {rpc_content=NFS4_CONTENT_DATA d_offset=100 d_data=bytes(400)}]}]
				call 2 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_offset=500 rpa_count=300}]
				reply 2 [PUTFH READ_PLUS{rpr_eof=TRUE rpr_contents=[{rpc_content=NFS4_CONTENT_DATA d_offset=500 d_data=bytes(300)}]}]
				wait 2s
				disconnect`},
			{Name: "only a hole, the chunk stays unused", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=800}]
				    write 0x801 800
				reply 1 [PUTFH READ_PLUS{rpr_eof=TRUE rpr_contents=[{rpc_content=NFS4_CONTENT_HOLE di_length=800}]}]
				disconnect`},
		},
	}
}

func compound006(c *rules.Conn, x *compound, say rules.Say) {
	asked(c, x)
	if !x.has.has(values.OpReadPlus) {
		return
	}
	r := x.rpc
	placed006(c, say, r)
	b := values.Walked(c, r.Reply)
	if b == nil {
		return
	}
	for i := values.Next(b, 0, values.OpReadPlus); i >= 0; i = values.Next(b, i+1, values.OpReadPlus) {
		const most = 2
		events := values.Within(b, i)
		e := all(c).contents.In(b, events)
		if e == nil {
			continue
		}
		if n := e.Value; n > most {
			if f := say.RPC("b", r, ""); f != nil {
				f.Sayf("READ_PLUS returned %d elements", n).See("rpr_contents", n, "at most 2")
				f.Body(r.Reply, b, int(e.Offset)-xdr.WordSize, xdr.WordSize)
			}
		}
		returned(c, r, x.call, b, i)
	}
}

// placed006 looks at where the first data element went.
func placed006(c *rules.Conn, say rules.Say, r *dissect.RPC) {
	list := readingsOf(c).of(c, r)
	for i := range list {
		x := &list[i]
		if x.op != values.OpReadPlus || x.data() == 0 {
			continue
		}
		if x.item.Chunk >= 0 {
			if r.Reply.Header.Version != rpcrdma.Version1 {
				continue // its bindings are those of the draft
			}
			if f := say.RPC("d", r, ""); f != nil {
				f.Sayf("the server placed %d octets of READ_PLUS in %s", x.data(), rpcrdma.WriteChunkName(int(x.item.Chunk)))
				f.WriteChunk(r.Reply, int(x.item.Chunk))
			}
			continue
		}
		room, unused := x.unused(r)
		if !unused {
			continue
		}
		if f := say.RPC("a", r, ""); f != nil {
			f.Sayf("the first data element of READ_PLUS, %d octets, is not in %s, which has room for %d", x.data(), rpcrdma.WriteChunkName(x.order), room)
			f.See("data in "+rpcrdma.WriteChunkName(x.order), 0, x.data())
			f.Body(r.Reply, r.Reply.Body(), int(x.item.Offset), int(x.item.Length))
			f.WriteChunk(r.Reply, x.order)
		}
	}
}

// octets006 is how many octets of the file an element sequence tells of.
func octets006(b *dissect.Body, events []walk.Event, data, hole *values.Field) (n uint64) {
	for i := range events {
		if e := &events[i]; data.Is(b, e) || hole.Is(b, e) {
			n += e.Value
		}
	}
	return n
}
