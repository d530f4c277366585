package rpc

import "github.com/rdmacap/rdmacap/field"

// A Call is the header of an ONC RPC call (RFC 5531, section 9), as scalars.
type Call struct {
	XID                                     uint32
	RPCVersion, Program, Version, Procedure uint32
	Cred                                    Cred
	// VerfFlavor is the flavor of the verifier.
	VerfFlavor Flavor
	// Length is the number of bytes of the header: the arguments follow, if it Ended.
	Length int
	// Ended says that all of the header was read, whatever is wrong with what is in it.
	Ended bool
	// Fault is the first thing wrong, with its byte in the message.
	Fault field.Fault
	// Cut says that the fault is only that the bytes end too early, or that a
	// length needs more of them: in a message that the capture cut short, this
	// proves nothing against its sender.
	Cut bool
}

// A Cred is what matters of a credential.
type Cred struct {
	Flavor Flavor
	// GSS is set for RPCSEC_GSS (RFC 2203, section 5).
	GSS GSSCred
	// Sys is set for AUTH_SYS (RFC 5531, appendix A), if HasSys.
	Sys    SysCred
	HasSys bool
}

// A SysCred says in whose name an AUTH_SYS credential is.
type SysCred struct{ UID, GID uint32 }

// A GSSCred is an RPCSEC_GSS credential of version 1 to 3.
type GSSCred struct {
	Version  uint32
	Proc     GSSProc
	Sequence uint32
	Service  GSSService
}

// A Reply is the header of an ONC RPC reply (RFC 5531, section 9), as scalars.
type Reply struct {
	XID uint32
	// Denied is reply_stat MSG_DENIED.
	Denied bool
	// Accept is accept_stat of an accepted reply, Reject reject_stat of a denied one.
	Accept AcceptStat
	Reject RejectStat
	// Auth is auth_stat with AUTH_ERROR.
	Auth AuthStat
	// Low and High come with PROG_MISMATCH and RPC_MISMATCH.
	Low, High  uint32
	VerfFlavor Flavor
	// Length is the number of bytes of the header: the results follow.
	Length int
	// Fault is the first thing wrong, with its byte in the message.
	Fault field.Fault
	// Cut says that the fault is only that the bytes end too early, or that a
	// length needs more of them: in a message that the capture cut short, this
	// proves nothing against its sender.
	Cut bool
}
