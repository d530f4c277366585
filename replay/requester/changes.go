package requester

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/replay/script"
)

// Effect is what a call may do to a server.
type Effect uint8

// The effects, each of which includes those before it.
const (
	// Reads changes nothing but access times.
	Reads Effect = iota
	// State changes what the server knows of its clients: opens, locks, sessions.
	State
	// Changes changes files, or may: what the procedures of an unknown program do is not
	// known.
	Changes
)

// changing are the procedures of NFS 2 and 3, and of NFSACL, that change files, by their
// names (RFC 1094, RFC 1813). NFS 2's and 3's names differ where they are not in both.
var changing = []string{
	"SETATTR", "WRITE", "CREATE", "MKDIR", "SYMLINK", "MKNOD", "REMOVE", "RMDIR", "RENAME", "LINK", "SETACL", "WRITECACHE",
}

// changing4 are the operations of NFS 4 that change files (RFC 7530, section 16; RFC 8881,
// section 18; RFC 7862, section 15; RFC 8276, section 8), but for OPEN, which does only if it
// creates one.
var changing4 = []string{
	"CREATE", "LINK", "OPENATTR", "REMOVE", "RENAME", "SETATTR", "WRITE", "LAYOUTCOMMIT",
	"ALLOCATE", "COPY", "DEALLOCATE", "CLONE", "WRITE_SAME", "SETXATTR", "REMOVEXATTR",
}

// reading4 are the operations of NFS 4 that change neither files nor what the server knows
// of its clients.
var reading4 = []string{
	"ACCESS", "COMMIT", "GETATTR", "GETFH", "LOOKUP", "LOOKUPP", "NVERIFY", "PUTFH", "PUTPUBFH", "PUTROOTFH", "READ", "READDIR",
	"READLINK", "RESTOREFH", "SAVEFH", "SECINFO", "VERIFY", "GETDEVICEINFO", "GETDEVICELIST", "SECINFO_NO_NAME", "TEST_STATEID",
	"READ_PLUS", "SEEK", "IO_ADVISE", "OFFLOAD_STATUS", "GETXATTR", "LISTXATTRS", "LOCKT", "NULL", "SEQUENCE",
}

// EffectOf is what a call may do, and the name of what does it. Creates says that an OPEN in
// it creates a file.
func EffectOf(c *script.Call, creates bool) (e Effect, by string) {
	switch h := &c.Header; {
	case !c.HasHeader:
		return Changes, "what cannot be decoded"
	case h.Control():
		return State, c.Name
	case h.Procedure == 0:
		return Reads, c.Name // NULL, in every program
	case h.Program == rpc.ProgramNFS && h.Version == 4:
		return effect4(c, creates)
	case h.Program == rpc.ProgramNFS || h.Program == rpc.ProgramNFSACL:
		if slices.Contains(changing, rpc.ProcedureName(h.Program, h.Version, h.Procedure)) {
			return Changes, c.Name
		}
		return Reads, c.Name
	case h.Program == rpc.ProgramMount, h.Program == rpc.ProgramNLM, h.Program == rpc.ProgramNSM:
		return State, c.Name
	case h.Program == rpc.ProgramRPCBind:
		return State, c.Name
	}
	return Changes, c.Name
}

// effect4 is that of a COMPOUND: the greatest of its operations.
func effect4(c *script.Call, creates bool) (e Effect, by string) {
	if len(c.Ops) == 0 {
		return Changes, "what cannot be decoded"
	}
	for i := range c.Ops {
		name, is := c.Ops[i].Name, State
		switch {
		case c.Ops[i].Args < 0:
			continue // an answer that nothing asked for
		case slices.Contains(changing4, name), name == "OPEN" && creates:
			is = Changes
		case slices.Contains(reading4, name):
			is = Reads
		}
		if by == "" || is > e {
			e, by = is, "NFS4 "+name
		}
	}
	return e, by
}

// Effects counts calls by what they may do. Creates is the index in script.Call.Marks that
// says that an OPEN creates a file; -1 takes it that every OPEN does.
func (p *Plan) Effects(creates int) (list []Effects) {
	at := make(map[string]int)
	for _, s := range p.steps {
		if s.kind != stepSend || s.call == nil {
			continue
		}
		e, by := EffectOf(s.call, creates < 0 || s.call.Marks[creates])
		i, ok := at[by+string(rune(e))]
		if !ok {
			i = len(list)
			at[by+string(rune(e))] = i
			list = append(list, Effects{Effect: e, By: by})
		}
		list[i].Calls++
		for j := range s.call.Segments {
			if g := &s.call.Segments[j]; g.Purpose == rpcrdma.ForRead {
				list[i].Octets += uint64(g.Length)
			}
		}
	}
	return list
}

// Effects are those of calls of one kind.
type Effects struct {
	Effect Effect
	// By is the operation or procedure: "NFS3 WRITE".
	By    string
	Calls int
	// Octets are those of the calls' Read chunks.
	Octets uint64
}
