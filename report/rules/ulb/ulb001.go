package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ulb001() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-001", Title: "Write chunk paired with the wrong operation",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A Write chunk has the data of another READ-class operation (READ, READLINK, READ_PLUS) than the one " +
			"that it belongs to: the chunks belong to these operations in the order of the COMPOUND.",
		Why: "The client knows only by that order which of its buffers has which result. It hands one file's data to the " +
			"reader of another.",
		Advice: "Look at how the server walks the Write list while it encodes the COMPOUND: each READ-class result takes the next " +
			"chunk, whatever its size.",
		Reference: "RFC 8267, section 6.4.1; RFC 8166, section 4.3.2.1; draft-dnoveck-nfsv4-nfsulb-01, section 5.3",
		Gates:     rules.Gates{rules.SilentIf(rules.Unpaired, rules.Cut, rules.Protected)},
		Limits: "Where an operation without data came before, as a READ_PLUS that found a hole, the documents differ on whether it " +
			"takes a chunk, and both ways are right. A swap shows only if the lengths of the results differ. Silent if the reply " +
			"cannot be decoded to its end.",
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{compounds()},
		On:     []rules.Event{rules.OnRPC(rules.WithWrites, rpc001)},
		Fires: []rules.Sample{
			{Name: "two READs whose chunks are swapped", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ{count=4096} READ{offset=4096 count=4096}]
				    write 0x801 4096
				    write 0x802 4096
				reply 1 [PUTFH READ{data=bytes(4096)} READ{data=bytes(100)}]
				    fill 1 item 2
				    fill 2 item 1
				    want ULB-001
				    want DDP-011a
				disconnect`},
			{Name: "a later chunk is used first", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ{count=4096} READ{offset=4096 count=4096}]
				    write 0x801 4096
				    write 0x802 4096
				reply 1 [PUTFH READ{data=bytes(4096)} READ{eof=TRUE}]
				    fill 1 none
				    fill 2 item 1
				    want ULB-001 write2
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "each READ in its own chunk, the second one short", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ{count=4096} READ{offset=4096 count=4096}]
				    write 0x801 4096
				    write 0x802 4096
				reply 1 [PUTFH READ{data=bytes(4096)} READ{data=bytes(100)}]
				disconnect`},
			{Name: "behind a hole, the next chunk as the draft has it", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=4096} READ{count=4096}]
				    write 0x801 4096
				    write 0x802 4096
				reply 1 [PUTFH READ_PLUS{rpr_eof=TRUE rpr_contents=[{NFS4_CONTENT_HOLE di_length=4096}]} READ{data=bytes(4096)}]
				    fill 1 none
				    fill 2 item 1
				disconnect`},
			{Name: "behind a hole, the same chunk as RFC 8166 has it", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=4096} READ{count=4096}]
				    write 0x801 4096
				    write 0x802 4096
				reply 1 [PUTFH READ_PLUS{rpr_eof=TRUE rpr_contents=[{NFS4_CONTENT_HOLE di_length=4096}]} READ{data=bytes(4096)}]
				disconnect`},
		},
	}
}

func rpc001(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	s := readingsOf(c)
	list := s.of(c, r)
	for i := range list {
		x := &list[i]
		if x.item == nil || x.item.Chunk < 0 {
			continue
		}
		k := int(x.item.Chunk)
		if k > x.order && r.Call.Header.WriteLength(x.order) > 0 {
			if f := say.RPC("", r, ""); f != nil {
				f.Sayf("the data of %s, which belong into %s, are in %s", x.name, rpcrdma.WriteChunkName(x.order), rpcrdma.WriteChunkName(k))
				f.See("Write chunk", k+1, x.order+1).See("length of the data", x.data(), nil)
				f.WriteChunk(r.Reply, k)
			}
			return
		}
		if j := s.swapped(i, r); j >= 0 {
			if f := say.RPC("", r, ""); f != nil {
				y := &s.list[j]
				f.Sayf("%s has the length of the data of %s %d, and %s that of %s %d",
					rpcrdma.WriteChunkName(k), y.name, j+1, rpcrdma.WriteChunkName(int(y.item.Chunk)), x.name, i+1)
				h := &r.Reply.Header
				f.See("length of "+rpcrdma.WriteChunkName(k), h.WriteLength(k), x.data())
				f.See("length of "+rpcrdma.WriteChunkName(int(y.item.Chunk)), h.WriteLength(int(y.item.Chunk)), y.data())
				f.WriteChunk(r.Reply, k)
				f.WriteChunk(r.Reply, int(y.item.Chunk))
			}
			return
		}
	}
}

// swapped is the index of a later reading with whose chunk that of the i-th was
// exchanged: each has the length of the other's data. It is -1 if there is none.
func (s *readings) swapped(i int, r *dissect.RPC) int {
	x, h := &s.list[i], &r.Reply.Header
	mine := h.WriteLength(int(x.item.Chunk))
	if fits(x.data(), mine) {
		return -1
	}
	for j := i + 1; j < len(s.list); j++ {
		y := &s.list[j]
		if y.item == nil || y.item.Chunk < 0 {
			continue
		}
		if theirs := h.WriteLength(int(y.item.Chunk)); fits(x.data(), theirs) && fits(y.data(), mine) {
			return j
		}
	}
	return -1
}

// fits reports whether a returned length is that of data, or that with its pad.
func fits(data, length uint64) bool { return length == data || length == xdr.Padded(data) }
