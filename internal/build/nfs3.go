package build

// NFS version 3 (RFC 1813): the program and the procedures made here.
const (
	ProgramNFS = 100003

	nfs3Null    = 0
	nfs3GetAttr = 1
	nfs3Read    = 6
	nfs3Write   = 7
)

// nfs3Call is a call with a credential of AUTH_SYS, as a Linux client's.
func nfs3Call(xid, procedure uint32, args []byte) []byte {
	cred := AuthSys("client", 0, 0)
	return RPCCall{XID: xid, Program: ProgramNFS, Version: 3, Procedure: procedure, Cred: cred, Args: args}.Bytes()
}

// NFS3Null is a call of the NULL procedure, without credential.
func NFS3Null(xid uint32) Message {
	return Message{Bytes: RPCCall{XID: xid, Program: ProgramNFS, Version: 3, Procedure: nfs3Null}.Bytes()}
}

// NFS3NullReply is the reply to NULL.
func NFS3NullReply(xid uint32) Message { return Message{Bytes: RPCReply{XID: xid}.Bytes()} }

// NFS3GetAttr asks for the attributes of a file handle of at most 64 bytes.
func NFS3GetAttr(xid uint32, fh []byte) Message {
	return Message{Bytes: nfs3Call(xid, nfs3GetAttr, appendOpaque(nil, fh))}
}

// NFS3GetAttrReply has the attributes of a regular file of the given size.
func NFS3GetAttrReply(xid uint32, size uint64) Message {
	return Message{Bytes: RPCReply{XID: xid, Results: appendFattr3(appendWords(nil, 0), size)}.Bytes()}
}

// NFS3Read asks for count bytes of a file, from an offset.
func NFS3Read(xid uint32, fh []byte, offset uint64, count uint32) Message {
	args := appendHyper(appendOpaque(nil, fh), offset)
	return Message{Bytes: nfs3Call(xid, nfs3Read, appendWords(args, count))}
}

// NFS3ReadReply returns data, which is the reply's eligible item, with
// attributes, at the end of the file.
func NFS3ReadReply(xid uint32, data []byte) Message {
	results := appendFattr3(appendWords(nil, 0, 1), uint64(len(data)))
	results = appendWords(results, uint32(len(data)), 1)
	return withItem(RPCReply{XID: xid, Results: appendOpaque(results, data)}.Bytes(), data)
}

// NFS3ReadFailed is a READ reply with a status (NFS3ERR_STALE is 70) and no
// attributes: it has no item to place.
func NFS3ReadFailed(xid, status uint32) Message {
	return Message{Bytes: RPCReply{XID: xid, Results: appendWords(nil, status, 0)}.Bytes()}
}

// NFS3Write writes data, the call's eligible item, FILE_SYNC.
func NFS3Write(xid uint32, fh []byte, offset uint64, data []byte) Message {
	const fileSync = 2
	args := appendHyper(appendOpaque(nil, fh), offset)
	args = appendWords(args, uint32(len(data)), fileSync)
	return withItem(nfs3Call(xid, nfs3Write, appendOpaque(args, data)), data)
}

// NFS3WriteReply says that count bytes are on stable storage, without attributes.
func NFS3WriteReply(xid, count uint32) Message {
	results := appendWords(nil, 0, 0, 0, count, 2, 0x01020304, 0x05060708)
	return Message{Bytes: RPCReply{XID: xid, Results: results}.Bytes()}
}

// withItem is a message whose last item is data.
func withItem(content, data []byte) Message {
	padded := len(data) + -len(data)&3
	return Message{Bytes: content, Item: len(content) - padded, ItemLength: len(data)}
}

// appendFattr3 writes 84 bytes of attributes: a regular file, mode 0644, one link.
func appendFattr3(b []byte, size uint64) []byte {
	const regular = 1
	b = appendWords(b, regular, 0o644, 1, 0, 0)
	b = appendHyper(appendHyper(b, size), size)
	b = appendWords(b, 0, 0)                    // rdev
	b = appendHyper(appendHyper(b, 0x801), 123) // fsid, fileid
	return appendWords(b, 1700000000, 0, 1700000000, 0, 1700000000, 0)
}
