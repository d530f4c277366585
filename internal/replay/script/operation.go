package script

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// An Operation is an RDMA Read request, or an RDMA Write, of which packets that follow one
// another count as one.
type Operation struct {
	// Order counts Messages and Operations together, in the order of the capture.
	Order int
	Kind  dissect.AccessKind
	Frame flow.Ref
	Time  int64
	// ToServer says that the client issued it: the memory is the server's.
	ToServer bool
	Handle   uint32
	Offset   uint64
	Length   uint64
	// Call is the one that advertised the first byte, nil if none is known to have.
	Call *Call

	from flow.End
}

// continues reports whether a packet carries an RDMA Write on.
func (o *Operation) continues(a *dissect.Access, of *Call) bool {
	return a.Kind == dissect.AccessWrite && o.Kind == a.Kind && !a.First && o.from == a.From && o.Call == of &&
		o.Handle == a.Handle && o.Offset+o.Length == a.Offset
}
