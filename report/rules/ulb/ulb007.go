package ulb

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ulb007() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnCheckedRPC(rules.WithReads, checked007)},
	}
}

func checked007(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil || len(r.Call.Header.Reads) == 0 {
		return
	}
	h := called(c, r)
	if h == nil || !legacy(h) {
		return
	}
	chunks, at := reduced(&r.Call.Header)
	if chunks == 0 || chunks == 1 && takesRead(h) || misplaced(c.Reported(r)) {
		return
	}
	f := report.Part("", r, r.Call, "")
	if f == nil {
		return
	}
	if takesRead(h) {
		f.Messagef("the call has Read chunks at %d Positions, but its procedure has only one argument that may be in a chunk", chunks)
		f.See("Read chunks", chunks, finding.AtMost(1))
	} else {
		f.Messagef("the call has a Read chunk at Position %d, but its procedure has no argument that may be in one", r.Call.Header.Reads[at].Position)
		f.See("Read chunks", chunks, 0)
	}
	f.ReadSegment(r.Call, at)
}

// misplaced reports whether it was found of a call that a Read chunk of it is where
// none may be.
func misplaced(said []rules.Reported) bool {
	return slices.ContainsFunc(said, func(s rules.Reported) bool {
		return s.Finding.Severity == finding.Error && (s.Rule.ID == "DDP-001" || s.Rule.ID == "DDP-005")
	})
}

// takesRead reports whether a procedure of NFS version 2 or 3 has an eligible argument.
func takesRead(h *rpc.Call) bool {
	if h.Version == 2 {
		return h.Procedure == numbers.ProcWrite2 || h.Procedure == numbers.ProcSymlink2
	}
	return h.Procedure == numbers.ProcWrite3 || h.Procedure == numbers.ProcSymlink3
}
