package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
	"github.com/rdmacap/rdmacap/report/rules/size"
)

func thresh008() *rules.Rule {
	return &rules.Rule{
		ID: "THRESH-008", Title: "Needless Long Reply or Reply chunk",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning: "A reply went by the Reply chunk although it would have fitted in one Send, or a call offered a Reply chunk although no " +
			"reply to it can be longer than the threshold.",
		Why: "The client registers memory for the Reply chunk, the server moves the reply by RDMA Write, and the client invalidates the " +
			"memory again: all that for a message that one Send could have carried.",
		Advice: "Look at how the client estimates the reply. A Linux server uses a Reply chunk whenever it is offered one, so that " +
			"a Long Reply that is short is the client's doing there.",
		Reference: "RFC 8166, sections 3.5.3 and 4.3.3; draft-cel-nfsv4-rfc5666-implementation-experience-02, sections 4.3 and 4.3.1; " +
			"draft-cel-nfsv4-rpcrdma-version-two-02, section 2.2; draft-dnoveck-nfsv4-rpcrdma-xcharext-00, section 3.1",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.Cut, rules.Protected),
			rules.SilentIf(rules.OneDirection, rules.Lossy, rules.AnyCut).Of("messages of version 2"),
		},
		Limits: "Case b needs a result whose type bounds it, or the arguments of an NFS version 3 READDIR or READDIRPLUS: one with a " +
			"string of any length, as attributes of NFS version 4 are, justifies a Reply chunk.",
		Cases: []rules.Case{
			{Letter: "a", Title: "a Long Reply that would have fitted", Severity: rules.Note},
			{Letter: "b", Title: "a Reply chunk that can never be needed", Severity: rules.Note},
		},
		Fields: size.Fields(),
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{setup.ReceivedKnowledge()},
		On:     []rules.Event{rules.OnRPC(rules.WithReplyChunk, rpc008)},
		Fires: []rules.Sample{
			{Name: "a short symbolic link", Scene: `
				connect
				call 1 NFS3 READLINK
				    replychunk 0x801 8192
				reply 1 data=text(20)
				    want THRESH-008a replychunk
				disconnect`},
			{Name: "the client takes 8192 octets in version 2", Scene: begin005 + `
				call 3 NFS3 READLINK
				    replychunk 0x801 9000
				reply 3 data=text(6000)
				    want THRESH-008a replychunk
				call 4 NFS3 READDIR count=6000
				    replychunk 0x802 9000
				    want THRESH-008b
				reply 4
				    inline
				disconnect`},
			{Name: "GETATTR of NFS version 3 with a Reply chunk", Scene: `
				connect
				call 1 NFS3 GETATTR
				    replychunk 0x801 8192
				    want THRESH-008b replychunk
				reply 1
				    inline
				disconnect`},
			{Name: "a READDIR of few octets", Scene: `
				connect
				call 1 NFS3 READDIR count=1024
				    replychunk 0x801 8192
				    want THRESH-008b
				reply 1
				    inline
				disconnect`},
			{Name: "a COMPOUND of which all results are small", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH ACCESS]
				    replychunk 0x801 8192
				    want THRESH-008b
				reply 1
				    inline
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the link is longer than the threshold", Scene: `
				connect client=1024/1024 server=1024/1024
				call 1 NFS3 READLINK
				    replychunk 0x801 8192
				reply 1 data=text(1000)
				disconnect`},
			{Name: "the link might have been longer", Scene: `
				connect
				call 1 NFS3 READLINK
				    replychunk 0x801 8192
				reply 1 data=text(20)
				    inline
				disconnect`},
			{Name: "READDIR may return more than the threshold", Scene: `
				connect
				call 1 NFS3 READDIR count=8192
				    replychunk 0x801 9000
				reply 1
				    inline
				disconnect`},
			{Name: "a COMPOUND that asks for attributes", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH GETATTR{attr_request=[SIZE OWNER]}]
				    replychunk 0x801 8192
				reply 1
				    inline
				disconnect`},
		},
	}
}

func rpc008(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if r.Call == nil || !r.Call.Header.HasReply || !c.Sound(r.Call) || c.Opaque(r) {
		return
	}
	l, known := setup.ReceivedOf(c).LimitAt(r.Call.Header.Version, r.Requester.Peer(), r.Call.Frame(), r.Call.Last)
	if !known {
		return
	}
	offered := r.Call.Header.ChunkLength(r.Call.Header.Reply)
	if m := r.Reply; m != nil && m.Transfer == dissect.Long && readable(c, m) && m.Header.Proc == rpcrdma.RDMANoMsg && m.Header.HasReply {
		if needed := shortReply(&m.Header); needed <= uint64(l.Octets) {
			if f := say.Part("a", r, m, ""); f != nil {
				f.Sayf("a reply that needs %d octets inline went by the Reply chunk of %d octets that the call offers; the threshold is %d",
					needed, offered, l.Octets)
				f.See("octets needed inline", needed, nil).See("inline threshold", l.Octets, nil).See("Reply chunk", offered, nil)
				f.ReplyChunk(m)
			}
		}
	}
	if offered == 0 {
		return
	}
	most, bounded := size.Of(c.Capture).Most(r.CallHeader(), r)
	needed := uint64(r.Call.Header.LeastSize()) + writeList(&r.Call.Header) + size.MostHeader + most
	if !bounded || needed > uint64(l.Octets) {
		return
	}
	if f := say.Part("b", r, r.Call, ""); f != nil {
		f.Sayf("the call offers a Reply chunk of %d octets; no reply to it needs more than %d, and the threshold is %d", offered, needed, l.Octets)
		f.See("longest reply", needed, nil).See("inline threshold", l.Octets, nil).See("Reply chunk", offered, nil)
		f.ReplyChunk(r.Call)
	}
}
