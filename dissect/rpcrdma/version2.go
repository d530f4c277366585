package rpcrdma

import "strconv"

// Version2 is rdma_vers of draft-cel-nfsv4-rpcrdma-version-two-02. Its
// transport header, in words as in the package comment:
//
//	0   rdma_xid | rdma_vers = 2 | rdma_credit | rdma_proc
//
//	    RDMA2_MSG       rdma_direction | rdma_inv_handle | the three lists, then the RPC message
//	    RDMA2_NOMSG     rdma_direction | rdma_inv_handle | the three lists
//	    RDMA2_ERROR     rdma_err | what goes with it
//	    RDMA2_OPTIONAL  rdma_optdir | rdma_opttype | rdma_optinfo<>, then perhaps some of an RPC message
const Version2 = 2

// Version2Threshold is the inline threshold of version 2, in bytes, of a
// receiver that has not told another (section 2.3).
const Version2Threshold = 4096

// The procedures that both versions have are the same numbers, and mean the
// same: RDMAMsg is RDMA2_MSG too, RDMANoMsg RDMA2_NOMSG, RDMAError RDMA2_ERROR.
// 2 and 3 are not defined in version 2.
const RDMA2Optional Proc = 5 // RDMA2_OPTIONAL: an operation of an extension

// The errors of version 2 (section 5.2.4); 1 is RDMA2_ERR_VERS, the same as
// ErrVers.
const (
	Err2BadXDR        ErrorCode = 2 // RDMA2_ERR_BAD_XDR: the header cannot be decoded
	Err2CantReply     ErrorCode = 3 // RDMA2_ERR_CANT_REPLY: Write and Reply chunks are too small for the reply
	Err2InvalidProc   ErrorCode = 4 // RDMA2_ERR_INVAL_PROC: rdma_proc is not known
	Err2InvalidOption ErrorCode = 5 // RDMA2_ERR_INVAL_OPTION: rdma_opttype is not known
)

// ProcName is the name of the header's procedure in its version, or its number.
func (h *Header) ProcName() string {
	if h.Version == Version2 {
		if name := proc2Name(uint64(h.Proc)); name != "" {
			return name
		}
	}
	return h.Proc.String()
}

func proc2Name(v uint64) string {
	switch Proc(v) {
	case RDMAMsg:
		return "RDMA2_MSG"
	case RDMANoMsg:
		return "RDMA2_NOMSG"
	case RDMAError:
		return "RDMA2_ERROR"
	case RDMA2Optional:
		return "RDMA2_OPTIONAL"
	}
	return ""
}

// ErrorName is the name of the header's rdma_err in its version, or its number.
func (h *Header) ErrorName() string {
	if h.Version == Version2 {
		if name := error2Name(uint64(h.Error)); name != "" {
			return name
		}
	}
	return h.Error.String()
}

func error2Name(v uint64) string {
	switch ErrorCode(v) {
	case ErrVers:
		return "RDMA2_ERR_VERS"
	case Err2BadXDR:
		return "RDMA2_ERR_BAD_XDR"
	case Err2CantReply:
		return "RDMA2_ERR_CANT_REPLY"
	case Err2InvalidProc:
		return "RDMA2_ERR_INVAL_PROC"
	case Err2InvalidOption:
		return "RDMA2_ERR_INVAL_OPTION"
	}
	return ""
}

// A Direction is rdma_direction or rdma_optdir of a version 2 header: the
// msg_type of RFC 5531, section 9.
type Direction uint32

const (
	DirectionCall  Direction = iota // from the requester
	DirectionReply                  // from the responder
)

// String is "CALL" or "REPLY", or the number: "rdma_direction 9".
func (d Direction) String() string {
	if name := directionName(uint64(d)); name != "" {
		return name
	}
	return "rdma_direction " + strconv.FormatUint(uint64(d), 10)
}

func directionName(v uint64) string {
	switch Direction(v) {
	case DirectionCall:
		return "CALL"
	case DirectionReply:
		return "REPLY"
	}
	return ""
}

// Directed reports whether the direction of a version 2 header is known: it was
// read and is defined, or it is that of an RDMA2_ERROR, always REPLY (section
// 5.2.2).
func (h *Header) Directed() bool {
	if h.Version != Version2 || h.Direction > DirectionReply {
		return false
	}
	switch h.Proc {
	case RDMAError:
		return true
	case RDMAMsg, RDMANoMsg, RDMA2Optional:
		return h.Length > FixedSize
	}
	return false
}
