package rpc

// nfsCallback is the program that an NFS version 4 client serves (RFC 7530,
// section 16; RFC 8881, section 20). Its version is 1; callers are seen that
// say 4, the version of NFS.
var nfsCallback = program{
	number: ProgramNFSCallback,
	name:   "NFS callback",
	procedures: [maxVersion + 1][]string{
		1: callback1[:],
		4: callback1[:],
	},
}

var callback1 = [...]string{
	0: "CB_NULL",
	1: "CB_COMPOUND",
}

// CallbackProcedureName is the name of a procedure of the NFS callback program
// for a call that is known to be a callback, whatever its program number; "" if
// it has none.
func CallbackProcedureName(proc uint32) string { return nth(callback1[:], uint64(proc)) }
