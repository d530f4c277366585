package rpcs

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

func rpcs003() *rules.Rule {
	return &rules.Rule{
		ID: "RPC-003", Title: "XID used again on a live connection",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A call has the XID of one that is still open on the same connection in the same direction: another request altogether, " +
			"or the same one sent again.",
		Why: "The connection is reliable, so a call that was sent does arrive: sending it again takes a second receive of the responder, " +
			"which may execute it twice. Two different requests with one XID cannot be told apart when their replies come.",
		Advice: "Let the requester wait for as long as the connection lives, and send calls again only on a new one.",
		Reference: "RFC 8167, section 2.4; RFC 7530, section 3.1.1; RFC 8881, section 2.9.2; " +
			"draft-cel-nfsv4-rfc5666-implementation-experience-02, section 2.5.1",
		Gates: rules.Gates{
			rules.SilentIf(rules.OneDirection, rules.LostSince, rules.Disordered, rules.Uncalled, rules.Unheard.From(rules.Responder)),
			rules.LikelyIf(rules.Cut),
		},
		Limits: "Arguments that moved in chunks are not compared, nor what RPCSEC_GSS protects: such calls count as the same if " +
			"procedure and length agree. An RDMA2_OPTIONAL may be one part of several, and is not judged.",
		Cases: []rules.Case{
			{Letter: "a", Title: "two different requests", Severity: rules.Error,
				Advice: "Let the requester choose an XID that none of its open calls has."},
			{Letter: "b", Title: "the same request sent again", Severity: rules.Warning},
			{Letter: "c", Title: "the same request sent again with other memory", Severity: rules.Warning,
				Advice: "As long as the first call may be answered, its memory must stay as it is: the responder may still read or write it."},
		},
		Causes: []string{"CREDIT-010"},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.WithoutReply|rules.AwaitedMessage, rpc003), rules.OnMessage(rules.AwaitedMessage, message003)},
		Fires: []rules.Sample{
			{Name: "another procedure", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR object="fh"
				call 3 NFS3 ACCESS object="fh"
				    xid 0x1002
				    want RPC-003a 0+4
				reply 3
				    want RPC-002c
				disconnect`},
			{Name: "another file", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR object="fh-1"
				call 3 NFS3 GETATTR object="fh-2"
				    xid 0x1002
				    want RPC-003a 0+4
				reply 3
				    want RPC-002c
				disconnect`},
			{Name: "a call is sent again", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR object="fh"
				wait 1s
				call 2 again
				    want RPC-003b 0+4
				reply 2
				    want RPC-002c
				disconnect`},
			{Name: "a call is sent again with another Write chunk", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ file="fh" offset=0 count=3000
				    write 0x100 3000
				wait 1s
				call 2 again
				    write 0x101 3000
				    want RPC-003c 0+4
				reply 2 data=bytes(3000) eof=true
				    want RPC-002c
				disconnect`},
			{Name: "a call of version 2 is sent again with other memory", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ file="fh" count=3000
				    write 0x100 3000
				call 2 again
				    write 0x101 3000
				    want RPC-003c 0+4
				reply 2 data=bytes(3000)
				call 3 NFS3 NULL
				reply 3
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the parts of a call of version 2, and one that comes again with more room", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    optional 77 bytes(8)
				call 2 again
				    optional 77 bytes(8)
				reply 2
				call 3 NFS3 READDIR
				    replychunk 0x801 50
				error 3 CANT_REPLY FALSE 1 100
				call 3 again
				    replychunk 0x801 100
				reply 3
				call 4 NFS3 NULL
				reply 4
				disconnect`},
			{Name: "the XID comes back after its call was answered", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR object="fh"
				reply 2
				call 2 again
				reply 2
				disconnect`},
			{Name: "the reply is missing from the capture", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR object="fh"
				reply 2
				    drop
				call 3 NFS3 NULL
				reply 3
				call 2 again
				reply 2
				disconnect`},
			{Name: "the reply and its acknowledgement are missing, and the XID comes back at once", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR object="fh"
				reply 2
				    drop
				call 2 again
				reply 2
				disconnect`},
			{Name: "the same XID in both directions", Scene: `
				connect
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 2 CB_NULL
				    xid 0x1003
				call 3 NFS4 NULL
				reply 3
				reply 2
				disconnect`},
			{Name: "the transport sends it again", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR object="fh"
				    lost
				reply 2
				disconnect`},
		},
	}
}

// rpc003 judges a repeat that is over, and keeps a call that is over without an answer: the
// next message may be the repeat.
func rpc003(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	k := of(c)
	for i := range k.repeats {
		if x := k.repeats[i]; x.XID == r.XID && x.From == r.Requester {
			k.repeats = slices.Delete(k.repeats, i, i+1)
			x.judge(c, say, r)
			break
		}
	}
	k.pending = r.Reply == nil && r.Call != nil && c.Closing == flow.Open && !c.Capture.Over && c.Called(r) && !extended(r.Call)
	c.AwaitMessages(rules.KeepsRPC, k.pending || len(k.repeats) > 0)
	if !k.pending {
		return
	}
	if k.former == nil {
		k.former = new(former)
	}
	f := k.former
	f.PastMessage = rules.Past(r.Call)
	f.request.of(r.Call)
	f.memory.of(&r.Call.Header)
}

func message003(c *rules.Conn, m *dissect.Message, _ rules.Say) {
	k := of(c)
	if !k.pending {
		return
	}
	k.pending = false
	f := k.former
	if m.Role() == dissect.RoleCall && m.Header.XID == f.XID && m.From == f.From && !m.Header.Fault.Bad() &&
		!rules.Guessed(m) && !extended(m) && len(k.repeats) < mostRepeats {
		k.repeats = append(k.repeats, f.repeated(m))
	}
	c.AwaitMessages(rules.KeepsRPC, len(k.repeats) > 0)
}
