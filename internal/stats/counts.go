package stats

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// Counts are what any RPCs came to: the numbers that whoever counts RPCs has in common. The
// zero Counts are of none, and they may be copied.
type Counts struct {
	// RPCs are all, Incomplete those of which some part is not in the capture.
	RPCs, Incomplete int64
	// Calls and Replies are those in the capture; an RDMA_ERROR counts as a reply.
	// Unanswered are the calls without one, Failed the replies that say that the call failed.
	Calls, Replies, Unanswered, Failed int64
	// CallBytes and ReplyBytes are those of the RPC messages as the upper layer
	// saw them, chunks put back, as far as that is known.
	CallBytes, ReplyBytes uint64
	// ReadBytes and WriteBytes are those that RDMA Reads and Writes moved.
	ReadBytes, WriteBytes uint64
	// CallTransfers and ReplyTransfers say how the messages travelled.
	CallTransfers, ReplyTransfers Transfers
}

// Add counts an RPC, and returns what its reply names as the reason why the call failed: the
// status of the program, of RPC, or the error of an RDMA_ERROR. That is "" if the call did not
// fail, or if it cannot be told, as without a reply.
func (c *Counts) Add(r *dissect.RPC) (why string) {
	c.RPCs++
	if !r.Complete {
		c.Incomplete++
	}
	if m := r.Call; m != nil {
		c.Calls++
		if r.Reply == nil {
			c.Unanswered++
		}
		c.CallBytes += m.RPCLength
		c.CallTransfers.addMessage(m)
	}
	if m := r.Reply; m != nil {
		c.Replies++
		if why = failure(r); why != "" {
			c.Failed++
		}
		c.ReplyBytes += m.RPCLength
		c.ReplyTransfers.addMessage(m)
	}
	c.ReadBytes += r.Offer.ReadBytes
	c.WriteBytes += r.Offer.WriteBytes
	return why
}

// Merge adds what others came to.
func (c *Counts) Merge(o *Counts) {
	c.RPCs += o.RPCs
	c.Incomplete += o.Incomplete
	c.Calls += o.Calls
	c.Replies += o.Replies
	c.Unanswered += o.Unanswered
	c.Failed += o.Failed
	c.CallBytes += o.CallBytes
	c.ReplyBytes += o.ReplyBytes
	c.ReadBytes += o.ReadBytes
	c.WriteBytes += o.WriteBytes
	c.CallTransfers.merge(&o.CallTransfers)
	c.ReplyTransfers.merge(&o.ReplyTransfers)
}

// Transfers counts RPC messages by how they travelled; of those that are not
// whole in the capture, or malformed, nobody can tell.
type Transfers struct{ Inline, Chunked, Long int64 }

// Total is how many are counted.
func (t *Transfers) Total() int64 { return t.Inline + t.Chunked + t.Long }

func (t *Transfers) addMessage(m *dissect.Message) {
	switch {
	case !m.Whole || m.Header.Fault.Bad() || m.Header.Proc == rpcrdma.RDMAError:
	case m.Transfer == dissect.Chunked:
		t.Chunked++
	case m.Transfer == dissect.Long:
		t.Long++
	default:
		t.Inline++
	}
}

func (t *Transfers) merge(o *Transfers) {
	t.Inline += o.Inline
	t.Chunked += o.Chunked
	t.Long += o.Long
}

// failure is what the reply of an RPC, which it has, names as the reason why the call failed,
// "" if the call did not fail, or if that cannot be told.
func failure(r *dissect.RPC) string {
	if h := &r.Reply.Header; h.Proc == rpcrdma.RDMAError && !h.Fault.Bad() {
		return h.ErrorName()
	}
	s := r.ReplyHeader()
	if s == nil {
		return ""
	}
	if s.Denied || s.Accept != rpc.Success {
		return s.Status()
	}
	if name, ok := r.Status(); !ok {
		return name
	}
	return ""
}
