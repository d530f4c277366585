package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func ulb008() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-008", Title: "Write chunks that NFS version 2 or 3 has no use for",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A call of NFS version 2 or 3 offers more than one Write chunk with room, or any although its procedure is neither READ " +
			"nor READLINK.",
		Why:       "The memory is registered for nothing, and some servers answer ERR_CHUNK to a call with chunks that they cannot use.",
		Advice:    "Look at how the client marshals this procedure: only READ and READLINK have a result for a Write chunk, and only one.",
		Reference: "RFC 8267, section 4; RFC 8166, section 4.3.2; draft-dnoveck-nfsv4-nfsulb-01, section 4",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut, rules.Protected)},
		Limits:    "DDP-004 judges what is protected. Empty chunks do no harm and are not counted.",
		Causes:    []string{"DDP-002"},
		Speaks:    rules.RPCRDMA,
		On:        []rules.Event{rules.OnRPC(rules.WithWrites, rpc008)},
		Fires: []rules.Sample{
			{Name: "two chunks for one READ", Scene: `
				connect
				call 1 NFS3 READ count=4096
				    write 0x801 4096
				    write 0x802 4096
				    want ULB-008 write1
				reply 1 count=4096 data=bytes(4096)
				disconnect`},
			{Name: "a chunk for GETATTR", Scene: `
				connect
				call 1 NFS3 GETATTR
				    write 0x801 4096
				    want ULB-008 write1
				reply 1
				disconnect`},
			{Name: "two chunks for one READ of version 2", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=4096
				    write 0x801 4096
				    write 0x802 4096
				    want ULB-008 write1
				reply 2 data=bytes(100)
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "an empty chunk beside the one of a READ", Scene: `
				connect
				call 1 NFS3 READ count=4096
				    write 0x801 4096
				    write empty
				reply 1 count=4096 data=bytes(4096)
				disconnect`},
		},
	}
}

func rpc008(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if r.Call == nil || len(r.Call.Header.Writes) == 0 {
		return
	}
	h := called(c, r)
	if h == nil || !legacy(h) {
		return
	}
	reads := h.Procedure == values.ProcRead || h.Procedure == values.ProcReadlink
	chunks, at := roomy(&r.Call.Header)
	if chunks == 0 || chunks == 1 && reads {
		return
	}
	f := say.Part("", r, r.Call, "")
	if f == nil {
		return
	}
	if reads {
		f.Sayf("the call offers %d Write chunks, and its procedure has one result that may be in a chunk", chunks)
		f.See("Write chunks", chunks, 1)
	} else {
		f.Sayf("the call offers a Write chunk of %d octets, and its procedure has no result that may be in one", r.Call.Header.WriteLength(at))
		f.See("Write chunks", chunks, 0)
	}
	f.WriteChunk(r.Call, at)
}
