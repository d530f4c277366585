package rpc

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect/xdr"
)

// Values of msg_type and reply_stat, and the version of RPC (RFC 5531, section 9).
const (
	msgCall     = 0
	msgReply    = 1
	msgAccepted = 0
	msgDenied   = 1
	rpcVersion  = 2
)

// MessageType reports whether the message that begins with b is a call or a
// reply; not ok if it is neither, or has fewer than the 8 bytes that say so.
func MessageType(b []byte) (call, ok bool) {
	if len(b) < 8 {
		return false, false
	}
	t := binary.BigEndian.Uint32(b[4:])
	return t == msgCall, t <= msgReply
}

// NoXID is the reason of the fault of a message of which LacksXID reports that its XID is missing.
const NoXID = "the RPC message begins with msg_type, its XID is missing"

// LacksXID reports whether b is a message that stands after an rdma_xid, and begins with msg_type where its XID
// should be (RFC 5531, section 9): CALL and the version of RPC, or REPLY and MSG_ACCEPTED. What else it can be, a
// call with the XID 1, has the version of RPC next.
func LacksXID(b []byte, xid uint32) (call, lacks bool) {
	if len(b) < 12 {
		return false, false
	}
	first, second, third := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
	switch {
	case first == xid:
		return false, false
	case first == msgCall && second == rpcVersion:
		return true, true
	}
	return false, first == msgReply && second == msgAccepted && third != rpcVersion
}

// Decode reads the header at the start of b, which is a call or the captured
// front of one, and replaces all of c. A credential of RPCSEC_GSS that cannot
// be decoded is a fault that does not keep the rest of the header from being
// read; after any other fault, what stood before it is set.
func (c *Call) Decode(b []byte) {
	*c = Call{}
	x := xdr.NewCursor(b, "RPC call header cut short")
	c.XID = x.Uint32()
	if x.Uint32() != msgCall {
		x.Fail(4, "msg_type is not CALL")
	}
	c.RPCVersion = x.Uint32()
	if c.RPCVersion != rpcVersion {
		x.Fail(8, "rpcvers is not 2")
	}
	c.Program = x.Uint32()
	c.Version = x.Uint32()
	c.Procedure = x.Uint32()
	c.Cred.Flavor = Flavor(x.Uint32())
	body := opaqueAuth(&x)
	end := x.Offset()
	c.VerfFlavor = Flavor(x.Uint32())
	opaqueAuth(&x)
	c.Length = x.Offset()

	c.Fault, c.Cut = x.Fault(), x.Cut()
	c.Ended = !c.Fault.Bad()
	if c.Cred.Flavor == AuthSys && body != nil {
		s := xdr.NewCursor(body, "AUTH_SYS credential cut short")
		c.Cred.HasSys = c.Cred.Sys.decode(&s)
	}
	if c.Cred.Flavor == RPCSECGSS && body != nil {
		g := xdr.NewCursor(body, "RPCSEC_GSS credential cut short")
		c.Cred.GSS.decode(&g)
		if f := g.Fault(); f.Bad() {
			// It comes before all that may be wrong with the verifier,
			// and more bytes would not mend it: the body is whole.
			f.Offset += end - (len(body)+3)&^3
			c.Fault, c.Cut = f, false
		}
	}
}

// maxMachineName is how long the name in an AUTH_SYS credential may be.
const maxMachineName = 255

// decode reads the body of an AUTH_SYS credential up to the further groups, and reports
// whether it could. What is wrong with it is no fault of the header: view shows it.
func (s *SysCred) decode(x *xdr.Cursor) bool {
	x.Uint32() // stamp
	x.Opaque(maxMachineName)
	s.UID, s.GID = x.Uint32(), x.Uint32()
	if x.Bad() {
		*s = SysCred{}
		return false
	}
	return true
}

// decode reads the body of an RPCSEC_GSS credential. Of a version other than 1
// to 3 only the version is known to lie where it does.
func (g *GSSCred) decode(x *xdr.Cursor) (handle []byte) {
	g.Version = x.Uint32()
	if x.Bad() || !g.known() {
		return nil
	}
	g.Proc = GSSProc(x.Uint32())
	g.Sequence = x.Uint32()
	g.Service = GSSService(x.Uint32())
	return x.Opaque(maxAuthBody)
}

func (g *GSSCred) known() bool { return g.Version >= 1 && g.Version <= 3 }

// Control reports whether the call is an RPCSEC_GSS control message, which
// sets up or ends a context: its arguments and results are those of RFC 2203,
// section 5.2, not of the procedure that its header names.
func (c *Call) Control() bool {
	return c.Cred.Flavor == RPCSECGSS && c.Cred.GSS.Proc != GSSData
}

// Protected reports whether the arguments of the call, and the results of its
// reply, are wrapped by RPCSEC_GSS with a checksum or encryption (RFC 2203,
// sections 5.3.2 and 5.3.3): they are opaque, and nothing in them may be moved
// by its own chunk (RFC 8166, section 8.2.2).
func (c *Call) Protected() bool {
	g := &c.Cred.GSS
	return c.Cred.Flavor == RPCSECGSS && g.Proc == GSSData &&
		(g.Service == ServiceIntegrity || g.Service == ServicePrivacy)
}

// Decode reads the header at the start of b, which is a reply or the captured
// front of one, and replaces all of r. What stood before a fault is set.
func (r *Reply) Decode(b []byte) {
	*r = Reply{}
	x := xdr.NewCursor(b, "RPC reply header cut short")
	r.XID = x.Uint32()
	if x.Uint32() != msgReply {
		x.Fail(4, "msg_type is not REPLY")
	}
	switch x.Uint32() {
	case msgAccepted:
		r.accepted(&x)
	case msgDenied:
		r.Denied = true
		r.denied(&x)
	default:
		x.Fail(8, "reply_stat is neither MSG_ACCEPTED nor MSG_DENIED")
	}
	r.Length = x.Offset()
	r.Fault, r.Cut = x.Fault(), x.Cut()
}

func (r *Reply) accepted(x *xdr.Cursor) {
	r.VerfFlavor = Flavor(x.Uint32())
	opaqueAuth(x)
	at := x.Offset()
	r.Accept = AcceptStat(x.Uint32())
	switch {
	case r.Accept == ProgMismatch:
		r.Low = x.Uint32()
		r.High = x.Uint32()
	case r.Accept > SystemErr:
		x.Fail(at, "accept_stat is not defined")
	}
}

func (r *Reply) denied(x *xdr.Cursor) {
	at := x.Offset()
	r.Reject = RejectStat(x.Uint32())
	switch r.Reject {
	case RPCMismatch:
		r.Low = x.Uint32()
		r.High = x.Uint32()
	case AuthError:
		r.Auth = AuthStat(x.Uint32())
	default:
		x.Fail(at, "reject_stat is neither RPC_MISMATCH nor AUTH_ERROR")
	}
}

// opaqueAuth reads the body of a credential or verifier, after its flavor.
func opaqueAuth(x *xdr.Cursor) []byte { return x.Opaque(maxAuthBody) }
