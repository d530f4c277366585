package v2

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

// Offsets in bytes of the words after the fixed ones (section 5.2): rdma_direction
// and rdma_inv_handle of an RDMA2_MSG or RDMA2_NOMSG, rdma_optdir and rdma_opttype of
// an RDMA2_OPTIONAL.
const (
	atDirection = rpcrdma.FixedSize
	atInvHandle = atDirection + xdr.WordSize
	atType      = atInvHandle
)

const (
	// leastRPC is how many bytes of an RPC message tell what it is: XID and msg_type.
	leastRPC = 2 * xdr.WordSize
	// leastLists is the header of an RDMA2_MSG or RDMA2_NOMSG with empty lists,
	// leastOptional that of an RDMA2_OPTIONAL without rdma_optinfo.
	leastLists    = atInvHandle + 4*xdr.WordSize
	leastOptional = atType + 2*xdr.WordSize
)

// spoken reports whether a message has version 2.
func spoken(m *dissect.Message) bool { return m.Header.Version == rpcrdma.Version2 }

// sound reports whether a message has version 2, and a header that is there and well
// formed.
func sound(c *rules.Conn, m *dissect.Message) bool {
	return m != nil && spoken(m) && !c.Cut(m) && !m.Header.Fault.Bad()
}

// lists reports whether a message has the words of an RDMA2_MSG or RDMA2_NOMSG.
func lists(m *dissect.Message) bool {
	return m.Header.Proc == rpcrdma.RDMAMsg || m.Header.Proc == rpcrdma.RDMANoMsg
}

// msgType is the msg_type of the RPC message that bytes begin with; not ok if they
// are no RPC message with that XID.
func msgType(b []byte, xid uint32) (d rpcrdma.Direction, ok bool) {
	if len(b) < leastRPC || binary.BigEndian.Uint32(b) != xid {
		return d, false
	}
	call, ok := rpc.MessageType(b)
	if !call {
		d = rpcrdma.DirectionReply
	}
	return d, ok
}
