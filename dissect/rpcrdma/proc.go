package rpcrdma

import "strconv"

// Version1 is rdma_vers of RFC 8166.
const Version1 = 1

// A Proc is rdma_proc: which procedure a transport header is for (RFC 8166,
// section 4.2.4). Values above RDMAError are not defined in version 1.
type Proc uint32

const (
	RDMAMsg   Proc = iota // RDMA_MSG: the RPC message follows the header
	RDMANoMsg             // RDMA_NOMSG: the RPC message is conveyed by chunks
	RDMAMsgP              // RDMA_MSGP: as RDMA_MSG, padded; must not be sent (section 4.6.1)
	RDMADone              // RDMA_DONE: must not be sent (section 4.6.2)
	RDMAError             // RDMA_ERROR: the responder could not decode a header
)

// String is the procedure's name in RFC 8166, or its number: "rdma_proc 9".
func (p Proc) String() string {
	if name := procName(uint64(p)); name != "" {
		return name
	}
	return "rdma_proc " + strconv.FormatUint(uint64(p), 10)
}

func procName(v uint64) string {
	switch Proc(v) {
	case RDMAMsg:
		return "RDMA_MSG"
	case RDMANoMsg:
		return "RDMA_NOMSG"
	case RDMAMsgP:
		return "RDMA_MSGP"
	case RDMADone:
		return "RDMA_DONE"
	case RDMAError:
		return "RDMA_ERROR"
	}
	return ""
}

// An ErrorCode is rdma_err of an RDMA_ERROR (RFC 8166, section 4.5). No other
// codes than these are defined in version 1; 0 is none of them.
type ErrorCode uint32

const (
	ErrVers  ErrorCode = 1 // ERR_VERS: rdma_vers is not one that the responder speaks
	ErrChunk ErrorCode = 2 // ERR_CHUNK: the chunk lists cannot be decoded or used
)

// String is the code's name in RFC 8166, or its number: "rdma_err 9".
func (e ErrorCode) String() string {
	if name := errorName(uint64(e)); name != "" {
		return name
	}
	return "rdma_err " + strconv.FormatUint(uint64(e), 10)
}

func errorName(v uint64) string {
	switch ErrorCode(v) {
	case ErrVers:
		return "ERR_VERS"
	case ErrChunk:
		return "ERR_CHUNK"
	}
	return ""
}
