package ulb

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ulb009() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnRPC(rules.OtherProgram, rpc009)},
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

func rpc009(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
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
		if f := report.Key(h.Program).Part("c", r, r.Call, ""); f != nil {
			f.Messagef("the client uses %s over RDMA", rpc.ProgramName(h.Program))
			f.See("program", h.Program, nil)
		}
	}
	reads, read := reduced(&r.Call.Header)
	writes, write := roomy(&r.Call.Header)
	if reads+writes == 0 || kind == bindingUnknown && r.Call.Body() != nil {
		return
	}
	letter, why := "", "has no item that may be in a chunk"
	if kind == bindingUnknown {
		letter, why = "b", "has no known binding"
	}
	f := report.Key(h.Program).Part(letter, r, r.Call, "")
	if f == nil {
		return
	}
	program := fmt.Sprintf("program %d", h.Program)
	if name := rpc.ProgramName(h.Program); name != "" {
		program = name
	}
	f.Messagef("the call has %s, but version %d of %s %s", chunksOf(reads, writes), h.Version, program, why)
	if reads > 0 {
		f.See("Read chunks", reads, 0)
		f.ReadSegment(r.Call, read)
	}
	if writes > 0 {
		f.See("Write chunks", writes, 0)
		f.WriteChunk(r.Call, write)
	}
}

// chunksOf says how many there are: "1 Read chunk and 2 Write chunks".
func chunksOf(reads, writes int) string {
	switch {
	case writes == 0:
		return field.Counted(reads, "Read chunk")
	case reads == 0:
		return field.Counted(writes, "Write chunk")
	}
	return field.Counted(reads, "Read chunk") + " and " + field.Counted(writes, "Write chunk")
}
