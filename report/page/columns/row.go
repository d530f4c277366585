package columns

import "github.com/rdmacap/rdmacap/dissect/flow"

// A Row is an RPC in the list of all.
type Row struct {
	Connection int
	XID        uint32
	// Start is when its first message was captured, in nanoseconds since the start
	// of the capture; Latency from call to reply, -1 if that is not known.
	Start, Latency int64
	// CallFrame is the last frame of the call, ReplyFrame the first of the reply.
	CallFrame, ReplyFrame flow.Ref
	Reverse               bool
	// Name is what a person calls it, Status how it ended, Detail the rest of its row.
	Name, Status string
	Detail       []byte
	// Program, Version and Procedure are -1 where the call is not known; Auth is the
	// flavor of its credential.
	Program, Version, Procedure int64
	Auth                        string
	// CallLength and ReplyLength are bytes of the RPC messages, -1 if not known.
	CallLength, ReplyLength     int64
	CallTransfer, ReplyTransfer Transfer
	// ReadBytes and WriteBytes are what RDMA Reads and Writes moved for it.
	ReadBytes, WriteBytes uint64
	Complete              bool
	// Severity is that of the worst finding about it, 0 if there is none.
	Severity uint8
	// Evidence is the number of its Item plus one, 0 if none was kept.
	Evidence int
	// Missing is the first part of it that is not in the capture, "" if all is there.
	Missing string
	// Sets are the values of the columns of sets.
	Sets [][]uint64
	// Lists are the values of the columns of lists.
	Lists [][]uint64

	detail int // bytes of Detail
}

// A Transfer says how an RPC message travelled.
type Transfer uint8

const (
	NoTransfer Transfer = iota // the message is not in the capture
	Inline
	Chunked
	Long
)
