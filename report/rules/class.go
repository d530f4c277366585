package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// A Class is what is out of the plain about a message or an RPC, as a set of bits.
// Most rules are about little of the traffic: they say about which, and are not
// asked about the rest.
type Class uint16

const (
	WithReads      Class = 1 << iota // a Read list that is not empty
	WithWrites                       // a Write list that is not empty
	WithReplyChunk                   // a Reply chunk
	Invalidating                     // a Send With Invalidate
	Malformed                        // not whole, or a header that has a fault
	WithoutInline                    // RDMA_NOMSG
	OtherProcedure                   // RDMA_ERROR, or another that is neither RDMA_MSG nor RDMA_NOMSG
	AboveDefault                     // longer than the default inline threshold
	WithoutReply                     // of an RPC: there is none
	WithoutCall                      // of an RPC: it is not in the capture
	Refused                          // of an RPC: RDMA_ERROR, denied, or not accepted with SUCCESS
	WithRPCSECGSS                    // of an RPC: its credential
	OtherVersion                     // a header of another version than 1

	WithChunks = WithReads | WithWrites | WithReplyChunk
)

// classOf is the class of a message.
func classOf(m *dissect.Message) (c Class) {
	h := &m.Header
	if len(h.Reads) > 0 {
		c |= WithReads
	}
	if len(h.Writes) > 0 {
		c |= WithWrites
	}
	if h.HasReply {
		c |= WithReplyChunk
	}
	if m.HasInvalidated {
		c |= Invalidating
	}
	if !m.Whole || h.Fault.Bad() || m.RPCFault().Bad() {
		c |= Malformed
	}
	switch h.Proc {
	case rpcrdma.RDMAMsg:
	case rpcrdma.RDMANoMsg:
		c |= WithoutInline
	default:
		c |= OtherProcedure
	}
	if m.Length > rpcrdma.DefaultThreshold {
		c |= AboveDefault
	}
	if h.Version != rpcrdma.Version1 {
		c |= OtherVersion
	}
	return c
}

// classOfRPC is the class of an RPC: what its messages are, and it.
func classOfRPC(r *dissect.RPC) (c Class) {
	if r.Call != nil {
		c |= classOf(r.Call)
		if h := r.CallHeader(); h != nil && h.Cred.Flavor == rpc.RPCSECGSS {
			c |= WithRPCSECGSS
		}
	} else {
		c |= WithoutCall
	}
	if r.Reply == nil {
		return c | WithoutReply
	}
	c |= classOf(r.Reply)
	if h := r.ReplyHeader(); h == nil || h.Denied || h.Accept != rpc.Success {
		c |= Refused
	}
	return c
}
