package values

import "github.com/rdmacap/rdmacap/dissect/rpc"

// NonIdempotent is the name of a procedure of NFS version 2 or 3 that has another
// outcome when it is done twice, "" of any other. WRITE and SETATTR are not among
// them (draft-dnoveck-nfsv4-nfsulb-01, section 3.2).
func NonIdempotent(version, procedure uint32) string {
	var first, last uint32
	switch version {
	case 2:
		first, last = ProcCreate2, ProcRmdir2
	case 3:
		first, last = ProcCreate3, ProcLink3
	default:
		return ""
	}
	if procedure < first || procedure > last {
		return ""
	}
	return rpc.ProcedureName(rpc.ProgramNFS, version, procedure)
}
