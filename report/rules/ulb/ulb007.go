package ulb

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func ulb007() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-007", Title: "Read chunks that NFS version 2 or 3 has no use for",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A call of NFS version 2 or 3 has Read chunks at more than one Position beside zero, or a Read chunk although its " +
			"procedure is neither WRITE nor SYMLINK.",
		Why: "No procedure of these versions has more than one argument that may travel in a chunk. Servers ignore what is too much, " +
			"or refuse the call; in the one case data are lost.",
		Advice:    "Look at how the client marshals this procedure: only the data of WRITE and the path of SYMLINK may be reduced.",
		Reference: "RFC 8267, section 4; RFC 8166, section 3.4.2; draft-dnoveck-nfsv4-nfsulb-01, section 4",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut, rules.Protected)},
		Limits: "DDP-004 judges what is protected. Several segments at one Position are one chunk. Silent where DDP-001 or DDP-005 says of the call " +
			"which of its chunks is wrong.",
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnJudged(rules.WithReads, judged007)},
		Fires: []rules.Sample{
			{Name: "a WRITE whose data are split into two Read chunks", Scene: `
				connect
				call 1 NFS3 WRITE file="abcdefgh" count=4096 data=bytes(4096)
				    read 0x801 2048 at item 1
				    read 0x802 2048 at item 1 +2048
				    want ULB-007 read1
				    want DDP-007c
				reply 1 count=4096
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a LOOKUP sent in a Position-Zero Read chunk", Scene: `
				connect
				call 1 NFS3 LOOKUP what.name=text(200)
				    long 0x801 4096
				reply 1
				disconnect`},
			{Name: "a WRITE with one chunk of two segments", Scene: `
				connect
				call 1 NFS3 WRITE count=4096 data=bytes(4096)
				    read 0x801 2048 0x802 2048
				reply 1 count=4096
				disconnect`},
		},
	}
}

func judged007(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if r.Call == nil || len(r.Call.Header.Reads) == 0 {
		return
	}
	h := called(c, r)
	if h == nil || !legacy(h) {
		return
	}
	chunks, at := reduced(&r.Call.Header)
	if chunks == 0 || chunks == 1 && takesRead(h) || misplaced(c.Said(r)) {
		return
	}
	f := say.Part("", r, r.Call, "")
	if f == nil {
		return
	}
	if takesRead(h) {
		f.Sayf("the call has Read chunks at %d Positions, and its procedure one argument that may be in a chunk", chunks)
		f.See("Read chunks", chunks, 1)
	} else {
		f.Sayf("the call has a Read chunk at Position %d, and its procedure no argument that may be in one", r.Call.Header.Reads[at].Position)
		f.See("Read chunks", chunks, 0)
	}
	f.ReadSegment(r.Call, at)
}

// misplaced reports whether it was found of a call that a Read chunk of it is where
// none may be.
func misplaced(said []rules.Said) bool {
	return slices.ContainsFunc(said, func(s rules.Said) bool {
		return s.Finding.Severity == rules.Error && (s.Rule.ID == "DDP-001" || s.Rule.ID == "DDP-005")
	})
}

// takesRead reports whether a procedure of NFS version 2 or 3 has an eligible argument.
func takesRead(h *rpc.Call) bool {
	if h.Version == 2 {
		return h.Procedure == values.ProcWrite2 || h.Procedure == values.ProcSymlink2
	}
	return h.Procedure == values.ProcWrite3 || h.Procedure == values.ProcSymlink3
}
