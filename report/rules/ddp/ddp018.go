package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func ddp018() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-018", Title: "Read chunk not pulled before success",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A responder answered a call with success although it did not request all octets of a Read chunk by " +
			"RDMA Read: of an item that the operation needed, or of the call itself where a Position-Zero Read chunk " +
			"conveys it.",
		Why: "The responder executed the operation without the data. A WRITE that says it succeeded then lost them.",
		Advice: "Look at how the responder counts what it has read: at the last segment of a chunk, at chunks behind the " +
			"first, and at whether it waits for all RDMA Reads.",
		Reference: "RFC 8166, section 3.4.5",
		Gates: rules.Gates{
			rules.SilentIf(rules.OneDirection, rules.LostSince, rules.Cut, rules.Protected),
			rules.DetailIf(rules.BeganLate, rules.Disordered),
		},
		Limits: "Silent where the operation of the item failed or came after one that did, for the pad of an item, where the call was " +
			"sent before without an answer, and in the first moment of a connection whose beginning was not captured.",
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{readings()},
		On:     []rules.Event{rules.OnRPC(rules.WithReads, rpc018)},
		Fires: []rules.Sample{
			{Name: "a WRITE succeeds of which half was read", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    read 0x1001 1500 0x1002 1500
				    pull 1500
				reply 1 count=3000
				    want DDP-018
				disconnect`},
			{Name: "a long call succeeds that was not read", Scene: `
				connect
				call 1 NFS3 LOOKUP what={dir="fh" name=text(200)}
				    long 0x1001 4096
				    nopull
				reply 1
				    want DDP-018
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a WRITE fails without its data", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    read 0x1001 3000
				    nopull
				reply 1 NFS3ERR_STALE
				disconnect`},
			{Name: "the pad is not read", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3001 data=bytes(3001)
				    read 0x1001 3001 0x1002 3
				    pull 3001
				    want DDP-008
				reply 1 count=3001
				disconnect`},
			{Name: "the operation before the WRITE failed", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3000)}]
				    read 0x1001 3000
				    nopull
				reply 1 [SEQUENCE PUTFH{NFS4ERR_STALE}]
				disconnect`},
			{Name: "the call is sent again with the same memory behind the RDMA Read", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    read 0x1001 3000
				wait 2s
				call 1 again
				    read 0x1001 3000
				    nopull
				reply 1 count=3000
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "the RDMA Read is missing from the capture", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    read 0x1001 3000
				    drop frame 2
				reply 1 count=3000
				call 2 NFS3 NULL
				reply 2
				disconnect`},
		},
	}
}

func rpc018(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	s, j := readingOf(c), memory.JudgeOf(c)
	if !answered(c, r) || len(r.Call.Header.Reads) == 0 {
		return
	}
	h := r.ReplyHeader()
	if h == nil || h.Denied || h.Accept != rpc.Success {
		return
	}
	missed, what := unread(r, 0, -1), "the call itself"
	if missed == nil {
		b := s.reduced(c, r)
		if b == nil || !values.Explained(b) {
			return
		}
		for i := range b.Events {
			e := &b.Events[i]
			if e.Kind != walk.Item || e.Chunk < 0 {
				continue
			}
			missed = unread(r, b.Reduced.Reads[e.Chunk].Position, int64(e.Length))
			if missed != nil && succeeded(r, b, e) {
				what = itemName(b, e)
				break
			}
			missed = nil
		}
	}
	if missed == nil || !j.Complete(r) {
		return
	}
	if f := say.Part("", r, r.Reply, ""); f != nil {
		f.Sayf("the %s answered with success, and requested %d of %d octets of a segment of the Read chunk at Position %d (%s)",
			c.Sender(r.Reply.From), missed.Asked.Len(), missed.Length, missed.Position, what)
		f.See("octets requested", missed.Asked.Len(), missed.Length).See("position", missed.Position, nil)
		for i := range r.Call.Header.Reads {
			if e := &r.Call.Header.Reads[i]; e.Segment == missed.Segment && e.Position == missed.Position {
				f.ReadSegment(r.Call, i)
				break
			}
		}
	}
}

// unread is the first segment of a Read chunk of which RDMA Read requests did not
// name all octets that belong to the item, nil if there is none. Of a chunk whose
// item's length is not known (-1) the last 3 octets may be a pad.
func unread(r *dissect.RPC, position uint32, length int64) *rpcrdma.Region {
	if length < 0 {
		const pad = 3
		length = max(0, int64(r.Call.Header.ReadLength(position))-pad)
	}
	for i := range r.Offer.Regions {
		g := &r.Offer.Regions[i]
		if g.Purpose != rpcrdma.ForRead || g.Position != position || g.Start >= uint64(length) {
			continue
		}
		if !g.Asked.Covers(0, min(uint64(g.Length), uint64(length)-g.Start)) {
			return g
		}
	}
	return nil
}

// succeeded reports whether the reply says that the operation which an item is for
// did.
func succeeded(r *dissect.RPC, b *dissect.Body, e *walk.Event) bool {
	_, index := operationAt(b, e)
	if index < 0 {
		_, ok := r.Status()
		return ok
	}
	ops := r.Ops(nil)
	return int(index) < len(ops) && ops[index].OK
}
