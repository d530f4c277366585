package query

import (
	"encoding/hex"
	"strconv"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/filter"
)

// A row is what we have of a frame or an RPC.
type row struct {
	cells
	frames     []int // of an RPC, from 0
	xid        string
	noted      bool // a frame is not in order
	inline     bool // the message, or both, came without Read chunks and are not long
	exchangeID bool // an RPC has an EXCHANGE_ID
	closes     bool // an RPC has a CLOSE
	refusal    bool // a frame completes an RDMA_ERROR
}

// ourRows are the frames and RPCs of a file.
func ourRows(t *testing.T, s *Sets, from captureFile, names []compared) (frames, rpcs []row) {
	t.Helper()
	ofFrame := record[*dissect.FrameView]{list: s.frames}
	ofRPC := &rpcRecord{record: record[*dissect.RPC]{list: s.rpcs}, texts: s.texts}
	var need []int
	for _, n := range names {
		if n.level == RPCs {
			need = append(need, n.index)
		}
	}
	ofRPC.need(need)
	exchange, closes := compile(t, s, RPCs, "nfs.op == EXCHANGE_ID"), compile(t, s, RPCs, "nfs.op == CLOSE")
	var shown filter.Shown
	cellsOf := func(l Level, from filter.Record) cells {
		c := make(cells, len(names))
		for i, n := range names {
			if n.level != l {
				continue
			}
			from.Values(n.index, shown.Of())
			for _, v := range shown.List {
				c[i] = append(c[i], ourWords(n, v))
			}
			c[i] = unique(c[i])
		}
		return c
	}
	inline := func(m *dissect.Message) bool {
		return m != nil && m.Header.Proc == rpcrdma.RDMAMsg && len(m.Header.Reads) == 0
	}
	read(t, from.path, &told{
		frame: func(v *dissect.FrameView) {
			if int(v.Frame.Number) != len(frames)+1 {
				t.Fatalf("%s: frame %d comes after %d others", from.name, v.Frame.Number, len(frames))
			}
			if len(frames) == 0 {
				s.Start.ns.Store(v.Frame.Time) // of this file, and not of the one before
			}
			ofFrame.row = v
			frames = append(frames, row{cells: cellsOf(Frames, &ofFrame), noted: v.Verdict.Note != flow.InOrder, inline: inline(v.Message),
				refusal: v.Message != nil && v.Message.Header.Proc == rpcrdma.RDMAError})
		},
		rpc: func(x *dissect.RPC) {
			ofRPC.row = x
			r := row{cells: cellsOf(RPCs, ofRPC), xid: strconv.FormatUint(uint64(x.XID), 10), inline: inline(x.Call) && inline(x.Reply),
				exchangeID: exchange.RPC(x), closes: closes.RPC(x)}
			for _, f := range x.Frames {
				r.frames = append(r.frames, int(f.Number)-1)
			}
			rpcs = append(rpcs, r)
		},
	}, ofRPC.keys...)
	return frames, rpcs
}

// ourWords are a value of ours in words.
func ourWords(n compared, v filter.Value) string {
	switch n.kind {
	case filter.Bytes:
		return hex.EncodeToString(v.Bytes)
	case filter.String:
		return v.Str + string(v.Bytes)
	case filter.Address:
		return v.Addr.Unmap().String()
	}
	if n.name == "rpc.procedure" { // the number has the program before it, see operation
		return strconv.FormatUint(v.Number&0x7FFFF, 10)
	}
	return strconv.FormatUint(v.Number, 10)
}
