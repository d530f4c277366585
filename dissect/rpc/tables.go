package rpc

import "github.com/rdmacap/rdmacap/field"

// Tables are the parts of a call's and a reply's header, and of credentials,
// that have a fixed size. Their fields begin at bit 0 of the part.
func Tables() []*field.Table {
	return []*field.Table{
		&callTable, &replyTable, &authTable, &acceptTable, &rejectTable, &authErrorTable, &rangeTable,
		&gssVersionTable, &gssTable, &lengthTable, &stampTable, &sysIDTable, &gidTable,
	}
}

const rfc5531 = "RFC 5531, section "

var callTable = field.Table{
	Key: "rpc", Name: "RPC call", Title: "Remote Procedure Call", Ref: rfc5531 + "9",
	Fields: []field.Field{
		{Name: "xid", Key: "xid", Bit: 0, Width: 32, Format: field.Hex, Doc: "transaction"},
		{Name: "msg_type", Key: "msg_type", Bit: 32, Width: 32, Enum: msgTypeName, Doc: "call or reply"},
		{Name: "rpcvers", Key: "rpcvers", Bit: 64, Width: 32, Doc: "version of RPC"},
		{Name: "prog", Key: "prog", Bit: 96, Width: 32, Enum: programNumberName, Doc: "program"},
		{Name: "vers", Key: "vers", Bit: 128, Width: 32, Doc: "version of the program"},
		{Name: "proc", Key: "proc", Bit: 160, Width: 32, Doc: "procedure of the program"},
	},
}

var replyTable = field.Table{
	Key: "rpc", Name: "RPC reply", Title: "Remote Procedure Call reply", Ref: rfc5531 + "9",
	Fields: []field.Field{
		{Name: "xid", Key: "xid", Bit: 0, Width: 32, Format: field.Hex, Doc: "transaction"},
		{Name: "msg_type", Key: "msg_type", Bit: 32, Width: 32, Enum: msgTypeName, Doc: "call or reply"},
		{Name: "reply_stat", Key: "reply_stat", Bit: 64, Width: 32, Enum: replyStatName, Doc: "accepted or denied"},
	},
}

// authTable is what every credential and verifier begins with.
var authTable = field.Table{
	Key: "rpc.auth", Name: "opaque_auth", Title: "Authentication", Ref: rfc5531 + "8.2",
	Fields: []field.Field{
		{Name: "flavor", Key: "flavor", Bit: 0, Width: 32, Enum: flavorName, Doc: "kind of credential or verifier"},
		{Name: "length", Key: "length", Bit: 32, Width: 32, Doc: "bytes of the body, 400 at most"},
	},
}

var acceptTable = word("rpc", "accept_stat", acceptName, "how the call went", rfc5531+"9")

var rejectTable = word("rpc", "reject_stat", rejectName, "why the call was denied", rfc5531+"9")

var authErrorTable = word("rpc", "auth_stat", authStatName, "why authentication failed", rfc5531+"9")

// rangeTable comes with PROG_MISMATCH and RPC_MISMATCH.
var rangeTable = field.Table{
	Key: "rpc", Name: "mismatch_info", Title: "Supported versions", Ref: rfc5531 + "9",
	Fields: []field.Field{
		{Name: "low", Key: "low", Bit: 0, Width: 32, Doc: "lowest version supported"},
		{Name: "high", Key: "high", Bit: 32, Width: 32, Doc: "highest version supported"},
	},
}

var gssVersionTable = word("rpc.gss", "version", nil, "version of RPCSEC_GSS", "RFC 2203, section 5")

var gssTable = field.Table{
	Key: "rpc.gss", Name: "rpc_gss_cred", Title: "RPCSEC_GSS credential", Ref: "RFC 2203, section 5",
	Fields: []field.Field{
		{Name: "gss_proc", Key: "proc", Bit: 0, Width: 32, Enum: gssProcName, Doc: "data, or a control message"},
		{Name: "seq_num", Key: "seq_num", Bit: 32, Width: 32, Doc: "sequence number in the context"},
		{Name: "service", Key: "service", Bit: 64, Width: 32, Enum: gssServiceName, Doc: "protection of arguments and results"},
	},
}

// lengthTable is the length of a string or handle, or a count.
var lengthTable = word("rpc.auth", "length", nil, "bytes, or items, that follow", "RFC 4506, section 4")

var stampTable = field.Table{
	Key: "rpc.sys", Name: "stamp", Title: "stamp", Ref: "RFC 5531, appendix A",
	Fields: []field.Field{{Name: "stamp", Key: "stamp", Bit: 0, Width: 32, Format: field.Hex, Doc: "what the caller's machine chose"}},
}

var sysIDTable = field.Table{
	Key: "rpc.sys", Name: "ids", Title: "User and group", Ref: "RFC 5531, appendix A",
	Fields: []field.Field{
		{Name: "uid", Key: "uid", Bit: 0, Width: 32, Doc: "effective user ID of the caller"},
		{Name: "gid", Key: "gid", Bit: 32, Width: 32, Doc: "effective group ID of the caller"},
	},
}

var gidTable = word("rpc.sys", "gids", nil, "another group of the caller", "RFC 5531, appendix A")

// word is the table of one word.
func word(key, name string, enum func(uint64) string, doc, ref string) field.Table {
	return field.Table{
		Key: key, Name: name, Title: name, Ref: ref,
		Fields: []field.Field{{Name: name, Key: name, Bit: 0, Width: 32, Enum: enum, Doc: doc}},
	}
}

func msgTypeName(v uint64) string { return nth(msgTypeNames[:], v) }

var msgTypeNames = [...]string{msgCall: "CALL", msgReply: "REPLY"}

func replyStatName(v uint64) string { return nth(replyStatNames[:], v) }

var replyStatNames = [...]string{msgAccepted: "MSG_ACCEPTED", msgDenied: "MSG_DENIED"}

func programNumberName(v uint64) string { return ProgramName(uint32(v)) }
