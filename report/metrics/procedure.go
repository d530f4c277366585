package metrics

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// A header is a procedure of a transport header, in a version.
type header struct {
	version uint32
	proc    rpcrdma.Proc
}

// procedures are those that have series, by their names.
var procedures = [...]struct {
	header
	name string
}{
	{header{rpcrdma.Version1, rpcrdma.RDMAMsg}, "RDMA_MSG"},
	{header{rpcrdma.Version1, rpcrdma.RDMANoMsg}, "RDMA_NOMSG"},
	{header{rpcrdma.Version1, rpcrdma.RDMAMsgP}, "RDMA_MSGP"},
	{header{rpcrdma.Version1, rpcrdma.RDMADone}, "RDMA_DONE"},
	{header{rpcrdma.Version1, rpcrdma.RDMAError}, "RDMA_ERROR"},
	{header{rpcrdma.Version2, rpcrdma.RDMAMsg}, "RDMA2_MSG"},
	{header{rpcrdma.Version2, rpcrdma.RDMANoMsg}, "RDMA2_NOMSG"},
	{header{rpcrdma.Version2, rpcrdma.RDMAError}, "RDMA2_ERROR"},
	{header{rpcrdma.Version2, rpcrdma.RDMA2Optional}, "RDMA2_OPTIONAL"},
}

// procedure is where a message is counted: after all procedures if it has none of them,
// or none that can be read. One of an unknown version is called as one of version 1.
func procedure(m *dissect.Message) int {
	if h := &m.Header; h.Length >= fixedHeader {
		is := header{rpcrdma.Version1, h.Proc}
		if h.Version == rpcrdma.Version2 {
			is.version = rpcrdma.Version2
		}
		for i := range procedures {
			if procedures[i].header == is {
				return i
			}
		}
	}
	return len(procedures)
}
