package words

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// AppendError appends what an RDMA_ERROR says.
func AppendError(b []byte, h *rpcrdma.Header) []byte {
	b = append(b, h.ErrorName()...)
	switch {
	case h.Error == rpcrdma.ErrVers:
		b = AppendVersions(b, h.VersLow, h.VersHigh)
	case h.Version == rpcrdma.Version2 && h.Error == rpcrdma.Err2CantReply:
		b = appendShortage(b, h)
	}
	return b
}

// AppendTravel appends how the two messages travelled. Where both were long it
// says so in two words, as the whole has to fit its column.
func AppendTravel(b []byte, r *dissect.RPC) []byte {
	at := len(b)
	both := r.Call != nil && r.Reply != nil && r.Call.Transfer == dissect.Long && r.Reply.Transfer == dissect.Long
	if both {
		b = append(b, "both long"...)
	}
	if m := r.Call; m != nil {
		if m.Transfer == dissect.Long && !both {
			b = append(b, "long call"...)
		}
		b = appendChunks(b, at, readChunks(&m.Header), "read chunk")
	}
	if m := r.Reply; m != nil {
		if m.Transfer == dissect.Long && !both {
			b = appendPlus(b, at)
			b = append(b, "long reply"...)
		}
		b = appendChunks(b, at, writeChunks(&m.Header), "write chunk")
	}
	if len(b) == at {
		b = append(b, "inline"...)
	}
	return b
}

func appendPlus(b []byte, at int) []byte {
	if len(b) > at {
		b = append(b, " + "...)
	}
	return b
}

func appendChunks(b []byte, at, n int, name string) []byte {
	if n == 0 {
		return b
	}
	b = appendPlus(b, at)
	if n > 1 {
		b = append(strconv.AppendInt(b, int64(n), 10), ' ')
	}
	b = append(b, name...)
	if n > 1 {
		b = append(b, 's')
	}
	return b
}

// readChunks counts the Read chunks that carry an item: all but that of
// Position 0.
func readChunks(h *rpcrdma.Header) (n int) {
	n = h.NumReadChunks()
	if _, long := h.PositionZero(); long {
		n--
	}
	return n
}

// writeChunks counts the Write chunks that were used.
func writeChunks(h *rpcrdma.Header) (n int) {
	for _, c := range h.Writes {
		if h.ChunkLength(c) > 0 {
			n++
		}
	}
	return n
}

// AppendStatus appends the accept or reject status, or what stands for it.
func AppendStatus(b []byte, r *dissect.RPC) []byte {
	if r.Reply == nil {
		return append(b, noReply(r)...)
	}
	if h := &r.Reply.Header; h.Proc == rpcrdma.RDMAError {
		if h.Version != rpcrdma.Version2 { // its errors say what they are
			b = append(b, "RDMA_ERROR "...)
		}
		return AppendError(b, h)
	}
	s := r.ReplyHeader()
	if s == nil {
		return append(b, "reply not decoded"...)
	}
	if name, _ := r.Status(); name != "" {
		return append(b, name...)
	}
	return AppendReplyStatus(b, s)
}

// noReply says why an RPC has no reply.
func noReply(r *dissect.RPC) string {
	switch r.WhyNotTaken {
	case dissect.Refused:
		return "reply refused by the " + Sender(r.Connection, r.Requester)
	case dissect.Abandoned:
		return "reply not delivered"
	}
	return "no reply in the capture"
}

// AppendReplyStatus appends the status of a reply with what it states beside
// it: the versions that the server has, or why it refused.
func AppendReplyStatus(b []byte, s *rpc.Reply) []byte {
	b = append(b, s.Status()...)
	switch {
	case s.Mismatch():
		b = AppendVersions(b, s.Low, s.High)
	case s.Denied && s.Reject == rpc.AuthError:
		b = append(b, ": "...)
		b = append(b, s.Auth.String()...)
	}
	return b
}

// AppendVersions appends the lowest and highest version that an end has.
func AppendVersions(b []byte, low, high uint32) []byte {
	b = append(b, " (versions "...)
	b = strconv.AppendUint(b, uint64(low), 10)
	b = append(b, " to "...)
	b = strconv.AppendUint(b, uint64(high), 10)
	return append(b, ')')
}
