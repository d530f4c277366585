package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// legacy reports whether a call is of NFS version 2 or 3.
func legacy(h *rpc.Call) bool {
	return h.Program == rpc.ProgramNFS && (h.Version == 2 || h.Version == 3)
}

// called is the header of an RPC's call that may be judged, nil if there is none:
// its transport header is sound, and nothing in it is protected.
func called(c *rules.Conn, r *dissect.RPC) *rpc.Call {
	if !c.Sound(r.Call) || c.Opaque(r) {
		return nil
	}
	return r.CallHeader()
}

// reduced is how many Read chunks a call has beside the one at Position zero; at
// is the index of the first of them in the Read list.
func reduced(h *rpcrdma.Header) (chunks, at int) {
	for i := range h.NumReadChunks() {
		if position, _ := h.ReadChunk(i); position != 0 {
			chunks++
		}
	}
	for at < len(h.Reads) && h.Reads[at].Position == 0 {
		at++
	}
	return chunks, at
}

// roomy is how many Write chunks have room for anything; at is the index of the
// first of them.
func roomy(h *rpcrdma.Header) (chunks, at int) {
	for i := len(h.Writes) - 1; i >= 0; i-- {
		if h.ChunkLength(h.Writes[i]) > 0 {
			chunks, at = chunks+1, i
		}
	}
	return chunks, at
}
