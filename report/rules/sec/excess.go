package sec

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/size"
)

// slack is by how many bytes a chunk may exceed the largest that its item can be:
// buffers for readahead do.
const slack = 64 << 10

// excess looks for chunks that are far larger than what the call asks for. What a Read
// chunk has is the item itself (DDP-007).
func excess(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	h := &r.Call.Header
	for k := range h.Writes {
		room := h.WriteLength(k)
		if room <= slack || c.Opaque(r) {
			continue
		}
		if most, known := size.Of(c.Capture).Item(r.CallHeader(), r, k); known && excessive(room, most) {
			reportExcess(c, r, report, h.Writes[k], rpcrdma.WriteChunkName(k), room, most)
			return
		}
	}
	if !h.HasReply {
		return
	}
	room := h.ChunkLength(h.Reply)
	if room <= slack || c.Opaque(r) {
		return
	}
	if most, known := size.Of(c.Capture).Most(r.CallHeader(), r); known && excessive(room, size.MostHeader+most) {
		reportExcess(c, r, report, h.Reply, "the Reply chunk", room, size.MostHeader+most)
	}
}

// excessive reports whether a chunk has far more room than the most that it may need.
func excessive(room, most uint64) bool { return room > 2*most && room-most >= slack }

func reportExcess(c *rules.Conn, r *dissect.RPC, report rules.Reporter, chunk rpcrdma.Chunk, what string, room, most uint64) {
	for _, s := range r.Call.Header.ChunkSegments(chunk) {
		if uint64(s.Length) > c.Capture.Config.Exposure {
			return // that was told
		}
	}
	if f := report.Part("a", r, r.Call, ""); f != nil {
		f.Messagef("the %s advertised %s for %s, which can have at most %d bytes", c.Sender(r.Requester), rules.Count(room), what, most)
		f.See("bytes of the chunk", room, most).In(r.Call, r.Call.Header.SegmentAt(chunk.First), chunk.Count*rpcrdma.SegmentSize)
	}
}
