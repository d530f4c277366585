package values

import "github.com/rdmacap/rdmacap/dissect/rpc"

// Numbers of operations of NFS version 4 (RFC 7530, RFC 8881, RFC 7862, RFC 8276).
const (
	OpCreate            = 6
	OpGetattr           = 9
	OpLink              = 11
	OpLock              = 12
	OpLocku             = 14
	OpOpen              = 18
	OpRead              = 25
	OpReaddir           = 26
	OpReadlink          = 27
	OpRemove            = 28
	OpRename            = 29
	OpBindConnToSession = 41
	OpCreateSession     = 43
	OpSequence          = 53
	OpReadPlus          = 68
	OpGetxattr          = 72
	OpListxattrs        = 74

	OpCBGetattr  = 3
	OpCBSequence = 11
)

// ProcCompound is COMPOUND of NFS version 4, and CB_COMPOUND of its callback program.
const ProcCompound = 1

// IsCompound reports whether a call is a COMPOUND of NFS version 4.
func IsCompound(h *rpc.Call) bool {
	return h.Program == rpc.ProgramNFS && h.Version == 4 && h.Procedure == ProcCompound
}

// Procedures of NFS version 2 (RFC 1094) or 3 (RFC 1813), where they differ with
// the number of the version.
const (
	ProcReadlink    = 5
	ProcRead        = 6
	ProcWrite2      = 8
	ProcWrite3      = 7
	ProcSymlink2    = 13
	ProcSymlink3    = 10
	ProcReaddir     = 16 // of both
	ProcReaddirplus = 17
)

// ProcGetACL is GETACL of NFSACL.
const ProcGetACL = 1
