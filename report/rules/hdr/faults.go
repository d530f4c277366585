package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

// runt reports whether a Send is too short for any transport header.
func runt(c *rules.Conn, m *dissect.Message) bool { return !c.Cut(m) && m.Length < shortest(m) }

// shortest is how many bytes the transport header of a message has at least. An
// RDMA_ERROR, and what is not defined, may be as short as the fixed words.
func shortest(m *dissect.Message) int {
	const (
		more     = 2 * xdr.WordSize                   // rdma_direction and rdma_inv_handle of version 2
		optional = rpcrdma.FixedSize + 3*xdr.WordSize // rdma_optdir, rdma_opttype, and rdma_optinfo without bytes
	)
	h := &m.Header
	lists := h.Proc == rpcrdma.RDMAMsg || h.Proc == rpcrdma.RDMANoMsg
	switch {
	case m.Length < rpcrdma.FixedSize:
	case h.Version == rpcrdma.Version1 && lists:
		return rpcrdma.LeastSize
	case h.Version == rpcrdma.Version2 && lists:
		return rpcrdma.LeastSize + more
	case h.Version == rpcrdma.Version2 && h.Proc == rpcrdma.RDMA2Optional:
		return optional
	}
	return rpcrdma.FixedSize
}

// defined reports whether a version is.
func defined(version uint32) bool {
	return version == rpcrdma.Version1 || version == rpcrdma.Version2
}

// first reports whether a message is one of version 1, whose header the rules of RFC
// 8166 are about.
func first(m *dissect.Message) bool { return m.Header.Version == rpcrdma.Version1 }

// fixed reports whether the four words that begin the header are there.
func fixed(m *dissect.Message) bool { return m.Header.Length >= rpcrdma.FixedSize }

// illegal is the letter of HDR-003 for a header that is not legal XDR, "" for one
// that is, or that another rule speaks of: HDR-001, HDR-002 or HDR-013, or of version 2
// V2-001, V2-006 and V2-007.
func illegal(c *rules.Conn, m *dissect.Message) string {
	h := &m.Header
	switch {
	case !h.Fault.Bad() || !fixed(m) || !defined(m.Header.Version) || undefinedError(m):
		return ""
	case !first(m) && (h.Proc == rpcrdma.RDMAError || h.Fault.Offset <= rpcrdma.FixedSize):
		return "" // its code, its procedure, or its direction
	case h.Fault.Offset == rpcrdma.AtProc:
		return "a"
	case !h.Cut:
		return "b"
	case c.Cut(m) || runt(c, m):
		return ""
	case h.Fault.Offset < m.Length && h.Proc != rpcrdma.RDMA2Optional:
		return "d"
	}
	return "c"
}

// undefinedError reports whether a header's only fault is that rdma_err is not
// defined.
func undefinedError(m *dissect.Message) bool {
	h := &m.Header
	return h.Fault.Bad() && h.Version == rpcrdma.Version1 && h.Proc == rpcrdma.RDMAError && fixed(m) && !h.Cut
}

// uncarried is the letter of HDR-006 for an RDMA_NOMSG whose RPC message nothing
// carries, "" for any other message.
func uncarried(m *dissect.Message) string {
	h := &m.Header
	switch {
	case h.Proc != rpcrdma.RDMANoMsg || h.Fault.Bad() || !fixed(m) || !defined(h.Version):
		return ""
	case len(h.Reads) == 0 && len(h.Writes) == 0 && !h.HasReply:
		return "a"
	case m.Role() == dissect.RoleCall:
		if _, ok := h.PositionZero(); !ok {
			return "b"
		}
	case m.Role() == dissect.RoleAnswer && !h.HasReply:
		return "c"
	case m.Role() == dissect.RoleAnswer && unasked(m.RPC()):
		return "c"
	}
	return ""
}

// unasked reports whether the call of an RPC is known and offered no Reply chunk.
func unasked(r *dissect.RPC) bool {
	return r != nil && r.Call != nil && !r.Call.Header.Fault.Bad() && !r.Call.Header.HasReply
}

// longFront is what was seen of the long message that a call or its reply is, from its first byte on without a gap;
// nil if it is none.
func longFront(r *dissect.RPC, m *dissect.Message) []byte {
	if m.Header.Fault.Bad() || !defined(m.Header.Version) || m.Header.Proc != rpcrdma.RDMANoMsg || m.Transfer != dissect.Long {
		return nil
	}
	long, front := r.Offer.LongCall, r.Offer.Front(rpcrdma.ForRead)
	if m == r.Reply {
		long, front = r.Offer.LongReply, min(r.Offer.Front(rpcrdma.ForReply), m.Header.ChunkLength(m.Header.Reply))
	}
	return long[:min(uint64(len(long)), front)]
}

// otherXID reports whether the RPC message of a call has another XID than its
// header, as far as it was seen when the RPC is over.
func otherXID(r *dissect.RPC) bool {
	m := r.Call
	if m.Header.Fault.Bad() {
		return false
	}
	if m.Header.Proc == rpcrdma.RDMAMsg {
		return m.CallHeader.XID != r.XID
	}
	xid, ok := xdr.WordAt(longFront(r, m), 0)
	return ok && xid != r.XID
}
