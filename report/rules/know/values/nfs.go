package values

import "github.com/rdmacap/rdmacap/dissect/rpc"

//go:generate go run ../../../../internal/nfsgen numbers.go

// IsCompound reports whether a call is a COMPOUND of NFS version 4.
func IsCompound(h *rpc.Call) bool {
	return h.Program == rpc.ProgramNFS && h.Version == 4 && h.Procedure == ProcCompound
}

// OperationName is the name of an operation of NFS version 4 ("READ_PLUS"), "" if it
// has none.
func OperationName(op uint64) string {
	if op < uint64(len(operationNames)) {
		return operationNames[op]
	}
	return ""
}

// ProcGetACL is GETACL of NFSACL.
const ProcGetACL = 1
