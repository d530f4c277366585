package responder

import (
	"context"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// message takes one message of the client. What is no call is answered as RFC 8166 has it, by an
// RDMA_ERROR or not at all.
func (s *session) message(ctx context.Context, message []byte) error {
	in := new(incoming)
	whole := in.header.Decode(message)
	h := &in.header
	xid, version, _, proc, ok := rpcrdma.Peek(message)
	carries := rpcrdma.Proc(proc) == rpcrdma.RDMAMsg || rpcrdma.Proc(proc) == rpcrdma.RDMANoMsg
	switch {
	case !ok, version == rpcrdma.Version1 && carries && len(message) < rpcrdma.LeastSize:
		s.note("a message of %d bytes, too short for its transport header, was not answered", len(message))
		return nil
	case rpcrdma.Proc(proc) == rpcrdma.RDMAError:
		s.note("the client answered XID 0x%08x with %s", xid, h.ErrorName())
		return nil
	case version != rpcrdma.Version1:
		s.note("XID 0x%08x: a message of version %d was answered by ERR_VERS", xid, version)
		return s.send(ctx, errorReply(xid, version, s.credits(), rpcrdma.ErrVers), nil)
	case rpcrdma.Proc(proc) == rpcrdma.RDMADone:
		s.note("XID 0x%08x: RDMA_DONE, which version 1 no longer has, was not answered", xid)
		return nil
	case !whole:
		return s.refuse(ctx, h, h.Fault.String())
	case !carries:
		return s.refuse(ctx, h, "version 1 no longer has it")
	}
	if _, long := h.PositionZero(); h.Proc == rpcrdma.RDMANoMsg && !long {
		return s.refuse(ctx, h, "it has no Position-Zero Read chunk")
	}
	in.bytes = message[h.Length:]
	if is, ok := rpc.MessageType(in.bytes); ok && !is && h.Proc == rpcrdma.RDMAMsg {
		return s.answered(ctx, in)
	}
	bytes, all := needs(h)
	if why := s.tooMuch(bytes, all); why != "" {
		return s.over(ctx, in, why)
	}
	defer s.give(int64(bytes))
	if err := s.pull(ctx, in); err != nil {
		return err
	}
	if fault := notACall(in); fault != "" {
		return s.refuse(ctx, h, fault)
	}
	return s.call(ctx, in)
}

// notACall says why no procedure can be looked up for a message, "" if it is a call.
func notACall(in *incoming) string {
	is, ok := rpc.MessageType(in.bytes)
	switch {
	case !ok:
		return "it carries no RPC message"
	case !is:
		return "its Position-Zero Read chunk does not hold a call"
	case xidOf(in.bytes) != in.header.XID:
		return "its RPC message has a different XID"
	}
	return ""
}

// refuse answers a message that RFC 8166, section 4.5.2, has a responder refuse.
func (s *session) refuse(ctx context.Context, h *rpcrdma.Header, why string) error {
	s.note("XID 0x%08x: %s was answered by ERR_CHUNK: %s", h.XID, h.ProcName(), why)
	return s.send(ctx, errorReply(h.XID, h.Version, s.credits(), rpcrdma.ErrChunk), nil)
}
