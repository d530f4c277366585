package dissect

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// An AccessSink receives each RDMA operation of the connections, whatever
// protocol they speak.
type AccessSink interface {
	// Access is called for each packet or DDP segment of an RDMA Write, for each
	// RDMA Read request, and for each packet or DDP segment of a response that
	// brings bytes not seen before. It comes after those bytes were entered
	// into Access.Region. What it is handed is valid during the call only.
	Access(a *Access)
}

// AccessKind says what an Access is.
type AccessKind uint8

const (
	AccessWrite    AccessKind = iota // a packet or DDP segment of an RDMA Write
	AccessRead                       // an RDMA Read request
	AccessReadData                   // a packet or DDP segment of the response
)

// String names the kind for a person.
func (k AccessKind) String() string {
	switch k {
	case AccessRead:
		return "RDMA Read"
	case AccessReadData:
		return "RDMA Read response"
	}
	return "RDMA Write"
}

// An Access is one packet or DDP segment of an RDMA operation on memory of the
// peer.
type Access struct {
	Connection *Connection
	// From is the end that issued the RDMA Read or Write; the memory is the other's.
	From flow.End
	Kind AccessKind
	// Handle is the R_key or STag of the memory, Offset the virtual address or
	// tagged offset of the first byte that is touched, Length how many are, on
	// the wire.
	Handle uint32
	Offset uint64
	Length int
	// Point is its place among those of the connection; a response has that of the
	// request.
	Point flow.Point
	// Frames are those that carried it, Time the time of the last of them in
	// nanoseconds since 1970.
	Frames []flow.Ref
	Time   int64
	// Place is that of the header which names the memory, see flow.Write and
	// flow.Read. A response does not name it: there it is that of the request.
	Place flow.Place
	// First says that the operation begins with it, as flow.Write.Start does; of
	// an RDMA Read response, that it has the first byte asked for.
	First bool
	// Announced is how many bytes the whole operation moves; 0 for an RDMA Write
	// over iWARP, which does not say so.
	Announced uint32
	// RPC is the one whose call advertised the first byte, and Region the
	// segment in which, of which Region.Over says whether it was live; nil if no
	// call whose RPC is not over did, or not for this kind of operation.
	// Connection.Ledger knows of former segments.
	RPC    *RPC
	Region *rpcrdma.Region
}

// accessed reports e.access, an operation that the ledger took, which touched a
// region first.
func (e *events) accessed(r *rpcrdma.Region) {
	a := &e.access
	if r != nil {
		a.Region, a.RPC = r, r.Offer().Owner.(*RPC)
	}
	e.opts.Accesses.Access(a)
	a.Connection, a.Frames, a.Region, a.RPC = nil, nil, nil, nil // nothing is kept alive by it
}
