package rules

import "github.com/rdmacap/rdmacap/dissect"

// An AccessClass is what an RDMA operation is, as a set of bits, for the rules that want to
// see some of them only.
type AccessClass Class

const (
	Writing    AccessClass = 1 << iota // a packet or segment of an RDMA Write
	Reading                            // an RDMA Read request
	Responding                         // a packet or segment of its response
	Unclaimed                          // of no RPC that is known
)

// classOfAccess is the class of an operation.
func classOfAccess(a *dissect.Access) Class {
	of := Writing << a.Kind
	if a.RPC == nil {
		of |= Unclaimed
	}
	return Class(of)
}
