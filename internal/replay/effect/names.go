package effect

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/rpc"
)

// reading are the procedures of NFS 2 and 3, and of NFSACL, that change nothing but access
// times, by their names (RFC 1094, RFC 1813). COMMIT makes durable what is written already.
var reading = [...]string{
	"GETATTR", "LOOKUP", "ACCESS", "READLINK", "READ", "READDIR", "READDIRPLUS", "FSSTAT", "FSINFO", "PATHCONF", "COMMIT",
	"ROOT", "STATFS", "GETACL",
}

// forwarding are the procedures of rpcbind that call another program, whichever the caller
// names (RFC 1833, sections 2.2.1 and 3.2).
var forwarding = [...]string{"CALLIT", "BCAST", "INDIRECT"}

// reading4 are the operations of NFS 4 that change neither files nor what the server knows
// of its clients (RFC 7530, section 16; RFC 8881, section 18; RFC 7862, section 15; RFC 8276,
// section 8).
var reading4 = [...]string{
	"ACCESS", "COMMIT", "GETATTR", "GETFH", "LOOKUP", "LOOKUPP", "NVERIFY", "PUTFH", "PUTPUBFH", "PUTROOTFH", "READ", "READDIR",
	"READLINK", "RESTOREFH", "SAVEFH", "SECINFO", "VERIFY", "GETDEVICEINFO", "GETDEVICELIST", "SECINFO_NO_NAME", "TEST_STATEID",
	"READ_PLUS", "SEEK", "IO_ADVISE", "OFFLOAD_STATUS", "GETXATTR", "LISTXATTRS", "LOCKT", "SEQUENCE",
}

// state4 are those that change what the server knows of its clients. An OPEN that creates a
// file is no such.
var state4 = [...]string{
	"OPEN", "OPEN_CONFIRM", "LOCK", "RENEW", "SETCLIENTID", "SETCLIENTID_CONFIRM", "BACKCHANNEL_CTL", "BIND_CONN_TO_SESSION",
	"EXCHANGE_ID", "CREATE_SESSION", "GET_DIR_DELEGATION", "LAYOUTGET", "LAYOUTRETURN", "SET_SSV", "WANT_DELEGATION",
	"RECLAIM_COMPLETE", "COPY_NOTIFY", "LAYOUTERROR", "LAYOUTSTATS", "OFFLOAD_CANCEL",
}

// taking4 are those that take state away from whoever has the session, client ID or stateid
// that they name: from a client that is still running, if it is the captured one's.
var taking4 = [...]string{
	"CLOSE", "DELEGRETURN", "LOCKU", "DESTROY_SESSION", "DESTROY_CLIENTID",
	"OPEN_DOWNGRADE", "FREE_STATEID", "RELEASE_LOCKOWNER", "DELEGPURGE",
}

// mostMinor is the highest minor version of NFS 4 whose operations are known.
const mostMinor = 2

// ofProcedure is the effect of a procedure that is described, of any program but NFS 4.
func ofProcedure(h *rpc.Call) Effect {
	name := rpc.ProcedureName(h.Program, h.Version, h.Procedure)
	switch h.Program {
	case rpc.ProgramNFS, rpc.ProgramNFSACL:
		if slices.Contains(reading[:], name) {
			return Reads
		}
	case rpc.ProgramMount, rpc.ProgramNLM, rpc.ProgramNSM:
		return State
	case rpc.ProgramRPCBind:
		if !slices.Contains(forwarding[:], name) {
			return State
		}
	}
	return Changes
}
