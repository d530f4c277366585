package rpc

import "strconv"

// Program numbers of NFS and what goes with it (RFC 1833, 1813, 7530; the
// Network Lock Manager and Status Monitor are of XNFS).
const (
	ProgramRPCBind uint32 = 100000
	ProgramNFS     uint32 = 100003
	ProgramMount   uint32 = 100005
	ProgramNLM     uint32 = 100021
	ProgramNSM     uint32 = 100024
	ProgramNFSACL  uint32 = 100227
	// ProgramNFSCallback is the number that Linux clients choose for their
	// callback program. Any number may be chosen: a call in the backward
	// direction of an NFS version 4 connection is a callback whatever its number.
	ProgramNFSCallback uint32 = 0x40000000
)

// maxVersion is the highest version of any program with names here.
const maxVersion = 4

// A program is what a family of procedures is called.
type program struct {
	number uint32
	name   string
	// procedures are the names by version and procedure; "" and what lies
	// beyond the end has no name.
	procedures [maxVersion + 1][]string
}

var programs = [...]*program{&nfs, &nfsCallback, &nfsacl, &mount, &nlm, &nsm, &rpcbind}

func lookup(prog uint32) *program {
	for _, p := range &programs {
		if p.number == prog {
			return p
		}
	}
	return nil
}

func (p *program) procedure(vers, proc uint32) string {
	if vers > maxVersion {
		return ""
	}
	return nth(p.procedures[vers], uint64(proc))
}

// ProgramName is the name of a program, as in "NFS" or "MOUNT"; "" if it has
// none here.
func ProgramName(prog uint32) string {
	if p := lookup(prog); p != nil {
		return p.name
	}
	return ""
}

// ProcedureName is the name of a procedure as its specification spells it,
// without the protocol's own prefix: "GETATTR", "COMPOUND", "CB_COMPOUND"; "" if
// it has none here.
func ProcedureName(prog, vers, proc uint32) string {
	if p := lookup(prog); p != nil {
		return p.procedure(vers, proc)
	}
	return ""
}

// AppendLabel appends a short label for a call: "NFS3 GETATTR", "MOUNT3 MNT",
// "NFS callback CB_COMPOUND"; where a procedure or program has no name its
// number: "NFS3 proc 99", "prog 100300 v1 proc 7". It allocates nothing if dst
// has room.
func AppendLabel(dst []byte, prog, vers, proc uint32) []byte {
	p := lookup(prog)
	switch p {
	case &nfsCallback:
		return AppendCallbackLabel(dst, proc)
	case nil:
		dst = append(dst, "prog "...)
		dst = strconv.AppendUint(dst, uint64(prog), 10)
		dst = append(dst, " v"...)
		dst = strconv.AppendUint(dst, uint64(vers), 10)
		return appendProcedure(dst, "", proc)
	}
	dst = append(dst, p.name...)
	dst = strconv.AppendUint(dst, uint64(vers), 10)
	return appendProcedure(dst, p.procedure(vers, proc), proc)
}

// AppendCallbackLabel is AppendLabel for a call that is known to be an NFS
// callback, whatever its program number.
func AppendCallbackLabel(dst []byte, proc uint32) []byte {
	dst = append(dst, nfsCallback.name...)
	return appendProcedure(dst, CallbackProcedureName(proc), proc)
}

func appendProcedure(dst []byte, name string, proc uint32) []byte {
	if name == "" {
		dst = append(dst, " proc "...)
		return strconv.AppendUint(dst, uint64(proc), 10)
	}
	dst = append(dst, ' ')
	return append(dst, name...)
}
