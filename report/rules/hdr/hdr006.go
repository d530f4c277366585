package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr006() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-006", Title: "RDMA_NOMSG without a carrier",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A message says that its RPC message travels by chunks, but has no chunk that could carry it: all lists are " +
			"absent, a call has no Position-Zero Read chunk, or a reply uses a Reply chunk that it lacks or that the call " +
			"did not offer.",
		Why: "The RPC message does not exist for the receiver. A responder answers such a call with ERR_CHUNK; a requester " +
			"drops such a reply, and its RPC hangs.",
		Advice: "Look at the code that decides between RDMA_MSG and RDMA_NOMSG: the chunk and the procedure have to follow " +
			"from one decision. A reply that does not fit inline, to a call without a Reply chunk, has to be an RDMA_ERROR.",
		Reference: "RFC 8166, sections 4.2.4 and 4.5.2",
		Gates: rules.Gates{
			rules.SilentIf(rules.Unpaired).In("c"),
			rules.LikelyIf(rules.LostSince).In("c"),
			rules.SilentIf(rules.Uncalled).In("b"),
		},
		Limits: "Case c needs the call where the reply has a Reply chunk. A client's RDMA_NOMSG that answers no reverse call counts as " +
			"a call, but only where the capture shows, whole and in order from the set-up on, that no reverse call is missing. In " +
			"version 2 rdma_direction tells a call from a reply; case b is silent where it may be wrong: for a server, and where a " +
			"reverse call with the XID waits.",
		Cases: []rules.Case{
			{Letter: "a", Title: "all three lists are absent", Severity: rules.Error},
			{Letter: "b", Title: "a call has no Position-Zero Read chunk", Severity: rules.Error},
			{Letter: "c", Title: "a reply has no Reply chunk, or the call offered none", Severity: rules.Error},
		},
		Causes: []string{"HDR-005b", "HDR-003e"},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{knownVersions()},
		On:     []rules.Event{rules.OnMessage(rules.WithoutInline, message006), rules.OnRPC(rules.WithoutInline, rpc006)},
		Fires: []rules.Sample{
			{Name: "a call of nothing but its header", Scene: `
				connect
				call 1 NFS3 GETATTR
				    proc NOMSG
				    payload none
				    want HDR-006a 12+16
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "a call with only a Reply chunk", Scene: `
				connect
				call 1 NFS3 GETATTR
				    replychunk 0x1001 4096
				    proc NOMSG
				    payload none
				    want HDR-006b 12+8
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "a reply with only a Write list", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 data=bytes(100) count=100
				    proc NOMSG
				    payload none
				    want HDR-006c replychunk.flag
				disconnect`},
			{Name: "a reply by a Reply chunk that nobody offered", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    proc NOMSG
				    returns replychunk 0x1001 100
				    payload none
				    want HDR-006c replychunk.flag
				disconnect`},
			{Name: "no chunk, no Position-Zero Read chunk, and no Reply chunk in version 2", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    proc NOMSG
				    payload none
				    want HDR-006a 12+24
				error 2 BAD_XDR
				call 3 NFS3 GETATTR
				    replychunk 0x1001 4096
				    proc NOMSG
				    payload none
				    want HDR-006b 12+16
				error 3 BAD_XDR
				call 4 NFS3 READ count=100
				    write 0x1001 100
				reply 4 data=bytes(100) count=100
				    proc NOMSG
				    payload none
				    want HDR-006c replychunk.flag
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "long messages of version 2, one of them with a rdma_direction that is wrong", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    long 0x1001 200
				    replychunk 0x1002 4096
				reply 2
				call 3 NFS3 GETATTR
				    replychunk 0x1002 4096
				reply 3
				    direction CALL
				disconnect`},
			{Name: "a long call and a long reply", Scene: `
				connect
				call 1 NFS3 GETATTR
				    long 0x1001 200
				    replychunk 0x1002 4096
				reply 1
				disconnect`},
			{Name: "a long reply of the client whose reverse call is missing from the capture", Scene: `
				connect
				call 1 NFS4 COMPOUND [EXCHANGE_ID]
				reply 1
				call 2 NFS4 COMPOUND [CREATE_SESSION{flags=CREATE_SESSION4_FLAG_CONN_BACK_CHAN}]
				reply 2
				callback 7 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				    replychunk 0x801 4096
				    drop frame 1
				reply 7
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "a long reply of the client whose reverse call is missing, and nothing of the server follows", Scene: `
				connect
				call 1 NFS4 COMPOUND [EXCHANGE_ID]
				reply 1
				callback 7 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				    replychunk 0x801 4096
				    drop frame 1
				    noack
				reply 7
				disconnect`},
			{Name: "a long reply whose call is not in the capture", Scene: `
				connect
				call 1 NFS3 GETATTR
				    replychunk 0x1002 4096
				    drop
				reply 1
				disconnect`},
		},
	}
}

func message006(c *rules.Conn, m *dissect.Message, say rules.Say) {
	letter := uncarried(m)
	if letter == "" || letter == "b" {
		return
	}
	h := &m.Header
	doubt := ""
	if letter == "c" && h.HasReply {
		if !c.Paired(m.RPC()) {
			return
		}
		doubt = c.Doubt(m.RPC().Call.Frame(), false)
	}
	f := say.Message(letter, m, doubt)
	if f == nil {
		return
	}
	sender := c.Sender(m.From)
	switch {
	case letter == "a":
		f.Sayf("the %s sent an %s without any chunk", sender, h.ProcName())
		f.See("chunks", 0, "at least 1").In(m, rpcrdma.AtProc, m.Header.Length-rpcrdma.AtProc)
	case !h.HasReply:
		f.Sayf("the %s replied with %s, but without a Reply chunk", sender, h.ProcName())
		f.See("Reply chunk", false, true).Word(m, h.ReplyAt())
	default:
		f.Sayf("the %s replied by a Reply chunk, but the call offered none", sender)
		f.See("Reply chunk", true, false).With(m.RPC().Call.Frames...).Word(m, h.ReplyAt())
	}
}

// When it is over it shows whether it is a call at all.
func rpc006(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	m := r.Call
	if m == nil || m.Header.Proc != rpcrdma.RDMANoMsg || uncarried(m) != "b" || !c.Called(r) {
		return
	}
	if !first(m) && (!c.ToServer(m.From) || waits(c, m.From.Peer(), r.XID)) {
		return // it may be a reply whose rdma_direction is wrong
	}
	if f := say.Part("b", r, m, ""); f != nil {
		f.Sayf("the %s sent a call as %s without a Position-Zero Read chunk", c.Sender(m.From), m.Header.ProcName())
		f.See("Position-Zero Read chunk", false, true).In(m, rpcrdma.AtProc, m.Header.ListsAt()+xdr.WordSize-rpcrdma.AtProc)
	}
}
