package values

import (
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
)

// NonIdempotent is the name of a procedure of NFS version 2 or 3 that has another
// outcome when it is done twice, "" of any other. WRITE and SETATTR are not among
// them (draft-dnoveck-nfsv4-nfsulb-01, section 3.2).
func NonIdempotent(version, procedure uint32) string {
	var first, last uint32
	switch version {
	case 2:
		first, last = numbers.ProcCreate2, numbers.ProcRmdir2
	case 3:
		first, last = numbers.ProcCreate3, numbers.ProcLink3
	default:
		return ""
	}
	if procedure < first || procedure > last {
		return ""
	}
	return rpc.ProcedureName(rpc.ProgramNFS, version, procedure)
}
