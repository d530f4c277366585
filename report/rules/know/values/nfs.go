package values

import (
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
)

// IsCompound reports whether a call is a COMPOUND of NFS version 4.
func IsCompound(h *rpc.Call) bool {
	return h.Program == rpc.ProgramNFS && h.Version == 4 && h.Procedure == numbers.ProcCompound
}
