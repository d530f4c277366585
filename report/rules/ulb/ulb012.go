package ulb

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ulb012() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-012", Title: "Refused call sent again",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A call that was answered with ERR_CHUNK, in version 2 RDMA2_ERR_BAD_XDR, or GARBAGE_ARGS is sent again, with the same arguments " +
			"and no more room for the reply; or with more room, although it must not be carried out twice.",
		Why: "What the server could not decode or answer once, it cannot the second time: the client loops. And since it may have carried the " +
			"first call out, a second one removes, renames or creates once more, with another outcome.",
		Advice: "The client has to report an error to whoever asked. Only an idempotent call may be tried again, with more room for its reply.",
		Reference: "RFC 8267, sections 3.1 and 6.4.2; draft-dnoveck-nfsv4-nfsulb-01, " +
			"sections 3.2 and 5.5",
		Gates: rules.Gates{rules.SilentIf(rules.Disordered, rules.Cut, rules.Protected)},
		Limits: "Calls are the same if their arguments are, but for SEQUENCE; what travelled in Read chunks is not compared. Silent if the " +
			"second is not refused too, unless it must not be carried out twice. Only within 60 seconds, on " +
			"one connection, of its last 16 refused calls. After more than a second it is only likely: an application may have " +
			"asked again. NFS version 4.0 counts its OPENs, so that their second attempt differs. What comes again after " +
			"RDMA2_ERR_CANT_REPLY is V2-008's; in version 2 only that error is about the room, so case b is of version 1.",
		Cases: []rules.Case{
			{Letter: "b", Title: "not idempotent, with more room", Severity: rules.Warning,
				Advice: "The client must not send it again: version 1 does not say whether the server carried it out."},
		},
		Causes: []string{"ULB-011", "HDR-014", "RPC-005"},
		Fields: []string{openCreate},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{failing(), compounds()},
		On:     []rules.Event{onRepeated(repeated012)},
		Fires: []rules.Sample{
			{Name: "ERR_CHUNK, and the same call again", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE{sequenceid=1} PUTFH GETATTR{attr_request=[SIZE]}]
				error 1 ERR_CHUNK
				call 2 NFS4 COMPOUND [SEQUENCE{sequenceid=2} PUTFH GETATTR{attr_request=[SIZE]}]
				    want ULB-012
				error 2 ERR_CHUNK
				disconnect`},
			{Name: "RDMA2_ERR_BAD_XDR, and the same call again", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				error 2 BAD_XDR
				call 3 NFS3 GETATTR
				    want ULB-012
				error 3 BAD_XDR
				disconnect`},
			{Name: "GARBAGE_ARGS for a REMOVE, which comes again with a Reply chunk", Scene: `
				connect
				call 1 NFS3 REMOVE object.name="a"
				reply 1 GARBAGE_ARGS
				call 2 like 1
				    replychunk 0x801 8192
				    want ULB-012b
				reply 2
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "RDMA2_ERR_CANT_REPLY, which is V2-008's, and a change that was not carried out, with more room", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READLINK
				error 2 CANT_REPLY TRUE 0 0
				call 3 like 2
				error 3 CANT_REPLY TRUE 0 0
				call 4 NFS3 REMOVE object.name="a"
				error 4 BAD_XDR
				call 5 like 4
				    replychunk 0x801 8192
				reply 5
				disconnect`},
			{Name: "an idempotent call again, with more room", Scene: `
				connect
				call 1 NFS3 READLINK
				error 1 ERR_CHUNK
				call 2 like 1
				    replychunk 0x801 8192
				reply 2 data=text(50)
				disconnect`},
			{Name: "an idempotent call again, which succeeds with the same room, and once more", Scene: `
				connect
				call 1 NFS3 GETATTR
				error 1 ERR_CHUNK
				call 2 NFS3 GETATTR
				reply 2
				call 3 NFS3 GETATTR
				reply 3
				disconnect`},
			{Name: "another object", Scene: `
				connect
				call 1 NFS3 REMOVE object.name="a"
				reply 1 GARBAGE_ARGS
				call 2 NFS3 REMOVE object.name="b"
				reply 2
				disconnect`},
			{Name: "long after", Scene: `
				connect
				call 1 NFS3 READLINK
				error 1 ERR_CHUNK
				wait 61s
				call 2 like 1
				error 2 ERR_CHUNK
				disconnect`},
		},
	}
}

func repeated012(c *rules.Conn, s *failures, say rules.Say) {
	before, r := s.found, s.rpc
	if before.short {
		return // V2-008
	}
	reply, write := room(&r.Call.Header)
	letter, twice := "", ""
	if reply > before.reply || write > before.write {
		if twice = nonIdempotent(c, r.CallHeader(), compoundOf(c, r)); twice == "" || before.transport != rpcrdma.Version1 {
			return
		}
		letter = "b"
	} else if refused(c, r) == "" || cantReply(&r.Reply.Header) || c.Disordered() {
		return // it was not the room, or nobody knows; or it was sent before
	}
	after, doubt := r.Call.First-before.time, ""
	if after > int64(time.Second) {
		doubt = "an application may have asked again"
	}
	f := say.Part(letter, r, r.Call, doubt)
	if f == nil {
		return
	}
	if letter == "b" {
		f.Sayf("the call is sent again %s after %s, with more room for the reply, although %s must not be carried out twice", rules.Duration(after), before.how, twice)
	} else {
		f.Sayf("the call is sent again %s after %s, with the same arguments and no more room for the reply", rules.Duration(after), before.how)
	}
	f.See("room for the reply", reply+write, nil).See("room in the call that was refused", before.reply+before.write, nil)
	f.With(before.frame).Also(before.xid)
}
