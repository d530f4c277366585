package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ulb009() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-009", Title: "Chunks for a program that has no eligible items, or no binding",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A call of MOUNT, NLM, NSM, NFSACL, rpcbind or an NFS callback program has a Read chunk at a Position other than zero or a Write " +
			"chunk with room. None of their arguments and results may travel in one.",
		Why: "What no binding mentions may not be reduced: the other side does not know which item the chunk stands for, and refuses the " +
			"call or decodes it wrongly.",
		Advice: "Send such messages inline, or if they are too long, in a Position-Zero Read chunk and a Reply chunk.",
		Reference: "RFC 8267, sections 5 and 6.5; RFC 8166, sections 3.4.2 and 6; draft-dnoveck-nfsv4-nfsulb-01, " +
			"sections 4.1 and 5.4",
		Gates: rules.Gates{rules.SilentIf(rules.Cut, rules.Protected)},
		Limits: "DDP-004 judges what is protected. A program that a text given with --binding describes has a binding. Position-Zero Read chunks " +
			"and Reply chunks are always allowed.",
		Cases: []rules.Case{
			{Letter: "b", Title: "chunks for a program or version whose binding is not known", Severity: rules.Warning,
				Advice: "If the program has a binding of its own, describe it in XDR language and give it with --binding."},
			{Letter: "c", Title: "MOUNT, NLM or NSM over RDMA at all", Severity: rules.Note,
				Advice: "Nothing needs to be done: this is allowed, though most servers offer these programs over TCP or UDP only."},
		},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.OtherProgram, rpc009)},
		Fires: []rules.Sample{
			{Name: "a Write chunk for an ACL", Scene: `
				connect
				call 1 NFSACL3 GETACL
				    write 0x801 4096
				    want ULB-009 write1
				reply 1
				disconnect`},
			{Name: "a callback with a Write chunk", Scene: `
				connect
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 2 CB_COMPOUND [CB_SEQUENCE CB_RECALL]
				    write 0x801 4096
				    want ULB-009 write1
				reply 2
				disconnect`},
			{Name: "a program that nobody knows reduces something", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 program=400100 version=1 procedure=5 raw=bytes(64)
				    write 0x801 4096
				    want ULB-009b write1
				reply 2 raw=bytes(8)
				disconnect`},
			{Name: "MOUNT, NLM and NSM over RDMA", Scene: `
				connect
				call 1 MOUNT3 MNT "/export"
				    want ULB-009c
				reply 1
				call 2 NLM4 NULL
				    want ULB-009c
				reply 2
				call 3 NSM1 NULL
				    want ULB-009c
				reply 3
				call 4 MOUNT3 NULL
				reply 4
				disconnect`},
			{Name: "a callback of version 2 with a Write chunk", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 2
				callback 3 CB_COMPOUND [CB_SEQUENCE CB_RECALL]
				    write 0x801 100
				    want ULB-009 write1
				reply 3
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "an ACL in the Reply chunk", Scene: `
				connect
				call 1 NFSACL3 GETACL
				    replychunk 0x801 65536
				reply 1
				disconnect`},
			{Name: "an unknown program, all inline", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 program=400100 version=1 procedure=5 raw=bytes(64)
				reply 2 raw=bytes(8)
				disconnect`},
		},
	}
}

// binding is what is known of the binding of a program.
type binding uint8

const (
	bindingNFS       binding = iota // it has eligible items
	bindingAuxiliary                // it has none
	bindingLocal                    // it has none, and is seldom seen over RDMA
	bindingUnknown
)

// bindingOf says what is known of a program's binding.
func bindingOf(h *rpc.Call, reverse bool) binding {
	v := h.Version
	switch h.Program {
	case rpc.ProgramNFS:
		if v >= 2 && v <= 4 {
			return bindingNFS
		}
	case rpc.ProgramMount:
		if v >= 1 && v <= 3 {
			return bindingLocal
		}
	case rpc.ProgramNLM:
		if v >= 1 && v <= 4 {
			return bindingLocal
		}
	case rpc.ProgramNSM:
		if v == 1 {
			return bindingLocal
		}
	case rpc.ProgramNFSACL:
		if v >= 1 && v <= 3 {
			return bindingAuxiliary
		}
	case rpc.ProgramRPCBind:
		if v >= 2 && v <= 4 {
			return bindingAuxiliary
		}
	case rpc.ProgramNFSCallback:
		return bindingAuxiliary
	default:
		if reverse {
			return bindingAuxiliary // the client chooses the number of its callback program
		}
	}
	return bindingUnknown
}

func rpc009(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if r.Call == nil {
		return
	}
	h := r.CallHeader()
	if h == nil || h.Program == rpc.ProgramNFS && h.Version-2 <= 2 {
		return
	}
	if h = called(c, r); h == nil {
		return
	}
	kind := bindingOf(h, c.RolesKnown && r.Reverse())
	if kind == bindingLocal {
		if f := say.Key(h.Program).Part("c", r, r.Call, ""); f != nil {
			f.Sayf("the client uses %s over RDMA", rpc.ProgramName(h.Program))
			f.See("program", h.Program, nil)
		}
	}
	reads, read := reduced(&r.Call.Header)
	writes, write := roomy(&r.Call.Header)
	if reads+writes == 0 || kind == bindingUnknown && r.Call.Body() != nil {
		return
	}
	letter, why := "", "has no item that may be in one"
	if kind == bindingUnknown {
		letter, why = "b", "has no binding that is known"
	}
	f := say.Key(h.Program).Part(letter, r, r.Call, "")
	if f == nil {
		return
	}
	f.Sayf("the call has %d Read and %d Write chunks, and program %d version %d %s", reads, writes, h.Program, h.Version, why)
	if reads > 0 {
		f.See("Read chunks", reads, 0)
		f.ReadSegment(r.Call, read)
	}
	if writes > 0 {
		f.See("Write chunks", writes, 0)
		f.WriteChunk(r.Call, write)
	}
}
