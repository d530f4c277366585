package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func v2001() *rules.Rule {
	return &rules.Rule{
		ID: "V2-001", Title: "Direction field wrong",
		Severity: rules.Error,
		Since:    "0.6",
		Meaning: "The direction in a header of version 2 is not that of the message: it differs from msg_type of the RPC message that the " +
			"Send carries or names, it does not fit the operation of an RDMA2_OPTIONAL, or it is neither CALL nor REPLY.",
		Why: "The direction says whose credits and whose XIDs a message is about. A receiver that goes by it looks for a reply among its own " +
			"calls, or takes a grant for a request, and one that goes by the RPC message does not: the two ends count differently.",
		Advice:    "Let the sender take the direction from the RPC message that it sends, and not from who opened the connection.",
		Reference: "draft-cel-nfsv4-rpcrdma-version-two-02, sections 4.2 and 5.2.2",
		Gates: rules.Gates{
			rules.SilentIf(rules.Cut),
			rules.SilentIf(rules.Unpaired).Of("a long reply"),
			rules.LikelyIf(rules.LostSince).In("a").Since("the message"),
		},
		Limits: "A long message is judged when its chunk was moved in the capture. A long reply that says CALL is not known as that reply. " +
			"Whether an RDMA2_OPTIONAL of an unknown type is from a requester cannot be told; nor, for certain, whether an INIT_XCHAR or " +
			"UPD_XCHAR of a server may have the direction of its replies.",
		Cases: []rules.Case{
			{Letter: "a", Title: "rdma_direction is not msg_type of the RPC message", Severity: rules.Error},
			{Letter: "b", Title: "rdma_optdir is not msg_type of the RPC message behind it", Severity: rules.Error},
			{Letter: "c", Title: "rdma_optdir does not fit the operation", Severity: rules.Error},
			{Letter: "d", Title: "neither CALL nor REPLY", Severity: rules.Error},
		},
		Speaks: rules.Version2,
		On:     []rules.Event{rules.OnMessage(rules.OtherVersion, message001), rules.OnRPC(rules.OtherVersion, rpc001)},
		Fires: []rules.Sample{
			{Name: "a call that says REPLY", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				    direction REPLY
				    want V2-001a direction
				reply 2
				disconnect`},
			{Name: "a reply that says CALL", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				reply 1
				    direction CALL
				    want V2-001a 16+4
				disconnect`},
			{Name: "a long call that says REPLY", Scene: `
				connect version=2
				call 1 NFS3 WRITE data=bytes(3000) count=3000
				    long 0x1001 all
				    direction REPLY
				    want V2-001a direction
				reply 1 count=3000
				disconnect`},
			{Name: "a callback that says REPLY", Scene: `
				connect version=2
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 2 CB_NULL
				    direction REPLY
				    want V2-001a direction
				reply 2
				disconnect`},
			{Name: "a call behind an option says REPLY", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				    optional 77 ""
				    direction REPLY
				    want V2-001b direction
				reply 2
				disconnect`},
			{Name: "a RESP_XCHAR that says CALL", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 server RESP_XCHAR done=[0]
				    direction CALL
				    want V2-001c direction
				disconnect`},
			{Name: "a REQ_XCHAR that says REPLY", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				    direction REPLY
				    want V2-001c direction
				optional 1 server RESP_XCHAR done=[0]
				disconnect`},
			{Name: "direction 7", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				    direction 7
				    want V2-001d direction
				error 2 BAD_XDR
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "calls in both directions, long and short", Scene: `
				connect version=2
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				call 2 NFS3 WRITE data=bytes(3000) count=3000
				    long 0x1001 all
				    replychunk 0x1002 4096
				reply 2 count=3000
				callback 3 CB_NULL
				reply 3
				disconnect`},
			{Name: "operations of the server, and one that nobody knows", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				optional 1 server INIT_XCHAR [RBSIZ=8192]
				optional 2 server REQ_XCHAR [RBSIZ=9216]
				optional 2 client RESP_XCHAR rej=[0]
				optional 3 client 77 bytes(8)
				    direction REPLY
				disconnect`},
			{Name: "what follows an option is no RPC message with its XID", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				reply 1
				optional 2 client 77 ""
				    payload hex(00000009 00000001 00000000 00000000)
				error 2 INVAL_OPTION
				disconnect`},
		},
	}
}

// doubtRole is why the direction of an announcement may be meant.
const doubtRole = "a server may take itself for the responder of what the client calls"

func message001(c *rules.Conn, m *dissect.Message, say rules.Say) {
	h := &m.Header
	switch {
	case !spoken(m) || c.Cut(m):
	case h.Fault.Bad():
		undirected(c, say, m)
	case h.Proc == rpcrdma.RDMAMsg:
		if t, ok := msgType(m.Inline(), h.XID); ok && t != h.Direction {
			carries(c, say, m, "a", "rdma_direction", t)
		}
	case h.Proc != rpcrdma.RDMA2Optional:
	case m.Role() == dissect.RoleNone:
		operation(c, say, m)
	default:
		if t, ok := msgType(m.Inline(), h.XID); ok && t != h.Direction {
			carries(c, say, m, "b", "rdma_optdir", t)
		}
	}
}

func rpc001(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	long(c, say, r, r.Call, rpcrdma.ForRead)
	long(c, say, r, r.Reply, rpcrdma.ForReply)
}

// undirected judges a header whose direction is not defined.
func undirected(c *rules.Conn, say rules.Say, m *dissect.Message) {
	h := &m.Header
	if h.Fault.Offset != atDirection || h.Cut || !lists(m) && h.Proc != rpcrdma.RDMA2Optional {
		return
	}
	if f := say.Message("d", m, ""); f != nil {
		f.Sayf("the direction in the %s's %s is %d, which is not defined", c.Sender(m.From), h.ProcName(), uint32(h.Direction))
		f.See("direction", uint32(h.Direction), "0 (CALL) or 1 (REPLY)").Word(m, atDirection)
	}
}

// carries tells of a direction that the RPC message in the Send contradicts.
func carries(c *rules.Conn, say rules.Say, m *dissect.Message, letter, field string, is rpcrdma.Direction) {
	if f := say.Message(letter, m, ""); f != nil {
		f.Sayf("the %s sent an RPC message that is a %s, with %s %s", c.Sender(m.From), is, field, m.Header.Direction)
		f.See(field, m.Header.Direction.String(), is.String()).Word(m, atDirection)
	}
}

// operation judges the direction of an operation of transport characteristics.
func operation(c *rules.Conn, say rules.Say, m *dissect.Message) {
	o := m.Header.Option()
	if !o.Known() {
		return
	}
	is, doubt := rpcrdma.DirectionCall, ""
	switch o.Type {
	case rpcrdma.RespXchar:
		is = rpcrdma.DirectionReply
	case rpcrdma.InitXchar, rpcrdma.UpdXchar:
		if !c.RolesKnown || !c.ToServer(m.From) {
			doubt = doubtRole
		}
	}
	if m.Header.Direction == is {
		return
	}
	if f := say.Message("c", m, doubt); f != nil {
		f.Sayf("the %s sent a %s with rdma_optdir %s", c.Sender(m.From), o.Type, m.Header.Direction)
		f.See("rdma_optdir", m.Header.Direction.String(), is.String()).Word(m, atDirection)
	}
}

// long judges a message of an RPC that its chunk conveyed, as far as that was seen.
func long(c *rules.Conn, say rules.Say, r *dissect.RPC, m *dissect.Message, purpose rpcrdma.Purpose) {
	if !sound(c, m) || m.Header.Proc != rpcrdma.RDMANoMsg || m.Transfer != dissect.Long || r.Offer.Front(purpose) < leastRPC {
		return
	}
	content := r.Offer.LongCall
	if purpose == rpcrdma.ForReply {
		content = r.Offer.LongReply
		if m.Header.ChunkLength(m.Header.Reply) < leastRPC || !c.Paired(r) {
			return
		}
	}
	t, ok := msgType(content, r.XID)
	if !ok || t == m.Header.Direction {
		return
	}
	if f := say.Part("a", r, m, c.Doubt(m.Frame(), false)); f != nil {
		f.Sayf("the %s sent a long RPC message that is a %s, with rdma_direction %s", c.Sender(m.From), t, m.Header.Direction)
		f.See("rdma_direction", m.Header.Direction.String(), t.String()).Word(m, atDirection)
	}
}
