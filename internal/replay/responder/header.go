package responder

import (
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// segments are those of a header in its order: Read list, Write list, Reply chunk.
func segments(h *rpcrdma.Header) (list []rpcrdma.Segment) {
	for _, r := range h.Reads {
		list = append(list, r.Segment)
	}
	return append(list, h.Segments...)
}

// readChunks are the Read chunks of a call but for the one at Position zero.
func readChunks(h *rpcrdma.Header) (list []walk.ReadChunk) {
	for i := range h.NumReadChunks() {
		if position, _ := h.ReadChunk(i); position != 0 {
			list = append(list, walk.ReadChunk{Position: position, Length: uint32(h.ReadLength(position))})
		}
	}
	return list
}

// errorReply is an RDMA_ERROR, which has the version of the message that it answers (RFC 8166,
// section 4.5.1).
func errorReply(xid, version, credits uint32, code rpcrdma.ErrorCode) []byte {
	b := words(xid, version, credits, uint32(rpcrdma.RDMAError), uint32(code))
	if code == rpcrdma.ErrVers {
		b = append(b, words(rpcrdma.Version1, rpcrdma.Version1)...)
	}
	return b
}

// header is the transport header of a reply (RFC 8166, section 4): no Read list, and the
// chunks of the call with the lengths that were used. An unused Reply chunk comes back with
// lengths of zero.
func header(h *rpcrdma.Header, credits uint32, proc rpcrdma.Proc) []byte {
	b := words(h.XID, rpcrdma.Version1, credits, uint32(proc), 0)
	chunk := func(c rpcrdma.Chunk) {
		b = append(b, words(1, uint32(c.Count))...)
		for _, g := range h.ChunkSegments(c) {
			b = append(b, words(g.Handle, g.Length, uint32(g.Offset>>32), uint32(g.Offset))...)
		}
	}
	for _, c := range h.Writes {
		chunk(c)
	}
	b = append(b, words(0)...)
	if h.HasReply {
		chunk(h.Reply)
		return b
	}
	return append(b, words(0)...)
}
