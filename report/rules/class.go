package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A Class is what is out of the plain about a message or an RPC, as a set of bits.
// Most rules are about little of the traffic: they say about which, and are not
// asked about the rest. An RPC has the bits of its messages too.
type Class uint32

const (
	WithReads        Class = 1 << iota // a Read list that is not empty
	WithWrites                         // a Write list that is not empty
	WithReplyChunk                     // a Reply chunk
	ToChunks                           // an answer to a call that has any of them
	Invalidating                       // a Send With Invalidate
	Malformed                          // not whole, or a header that has a fault
	WithoutInline                      // RDMA_NOMSG
	OtherProcedure                     // RDMA_ERROR, or another that is neither RDMA_MSG nor RDMA_NOMSG
	OtherVersion                       // rdma_vers is not 1
	OtherXID                           // RDMA_MSG without an RPC header that can be read and has the XID of rdma_xid
	WithoutCredits                     // rdma_credit is 0
	ManyCredits                        // rdma_credit is more than MostCredits
	AboveDefault                       // longer than the default inline threshold
	Calling                            // a call
	Roleless                           // neither call nor answer
	ReverseDirection                   // of an RPC in reverse direction, from server to client
	WithoutReply                       // of an RPC: the capture has none
	WithoutCall                        // of an answer or an RPC: its call is not in the capture, so far
	Refused                            // of an RPC: RDMA_ERROR, denied, or not accepted with SUCCESS
	WithRPCSECGSS                      // of an RPC: its credential
	Compound                           // of an RPC: a COMPOUND of NFS version 4
	OtherProgram                       // of an RPC: not one of NFS version 2, 3 or 4
	Slow                               // of an RPC: answered later than Config.Unanswered after its call
	Suspect                            // of an RPC: a rule found something; for OnCheckedRPC
	Unreliable                         // of a message: the service of its connection may lose packets
	Long                               // of an RPC: answered later than Config.SlowRPC or Config.LeastStall after its call
	Failing                            // of an RPC: NFS, NFSACL or MOUNT answered with a status that is not 0
	AwaitedMessage                     // of a message or an RPC: somebody waits for what it shows: Conn.AwaitMessages

	WithChunks = WithReads | WithWrites | WithReplyChunk
)

// MostCredits is more than any receive queue has room for: adapters take 32,768 receives or fewer.
const MostCredits = 1 << 16

// classOf is the class of a message.
func classOf(m *dissect.Message) (c Class) {
	h := &m.Header
	if len(h.Reads) > 0 {
		c |= WithReads
	}
	if len(h.Writes) > 0 {
		c |= WithWrites
	}
	if h.HasReply {
		c |= WithReplyChunk
	}
	if m.HasInvalidated {
		c |= Invalidating
	}
	if !m.Whole || h.Fault.Bad() || m.RPCFault().Bad() {
		c |= Malformed
	}
	if h.Version != rpcrdma.Version1 {
		c |= OtherVersion
	}
	switch h.Proc {
	case rpcrdma.RDMAMsg:
		if !m.HasRPC || m.Answer && m.ReplyHeader.XID != h.XID || !m.Answer && m.CallHeader.XID != h.XID {
			c |= OtherXID
		}
	case rpcrdma.RDMANoMsg:
		c |= WithoutInline
	default:
		c |= OtherProcedure
	}
	if h.Credits == 0 {
		c |= WithoutCredits
	} else if h.Credits > MostCredits {
		c |= ManyCredits
	}
	if m.Length > rpcrdma.DefaultThreshold {
		c |= AboveDefault
	}
	return c | roleOf(m)
}

// classOfService is the bit that says whether a service may lose packets. Both directions
// of a connection have one.
func classOfService(s rocev2.Transport) Class {
	switch s {
	case rocev2.TransportRC, rocev2.TransportXRC:
		return 0
	}
	return Unreliable
}

// roleOf are the bits that say what a message is in an RPC.
func roleOf(m *dissect.Message) (c Class) {
	switch m.Role() {
	case dissect.RoleNone:
		return Roleless
	case dissect.RoleCall:
		c = Calling
	case dissect.RoleAnswer:
		if r := m.RPC(); r != nil && r.Call == nil {
			c = WithoutCall
		} else if r != nil {
			if h := &r.Call.Header; len(h.Reads) > 0 || len(h.Writes) > 0 || h.HasReply {
				c = ToChunks
			}
		}
	}
	if m.Connection.RolesKnown && (c == Calling) != m.ToServer() {
		c |= ReverseDirection
	}
	return c
}

// classOfRPC is the class of an RPC: what its messages are, and it.
func classOfRPC(r *dissect.RPC) (c Class) {
	if r.Call != nil {
		c |= classOf(r.Call)
		if h := r.CallHeader(); h != nil {
			c |= classOfCall(h)
		}
	} else {
		c |= WithoutCall
	}
	switch {
	case r.Untaken != nil:
		return c
	case r.Reply == nil:
		return c | WithoutReply
	}
	c |= classOf(r.Reply)
	if h := r.ReplyHeader(); h == nil || h.Denied || h.Accept != rpc.Success {
		c |= Refused
	}
	if r.StatusWord() != 0 {
		c |= Failing
	}
	return c
}

// classOfCall is what the RPC header of a call adds to the class of its RPC.
func classOfCall(h *rpc.Call) (c Class) {
	const compound = 1 // the procedure
	switch {
	case h.Program != rpc.ProgramNFS || h.Version < 2 || h.Version > 4:
		c = OtherProgram
	case h.Version == 4 && h.Procedure == compound:
		c = Compound
	}
	if h.Cred.Flavor == rpc.RPCSECGSS {
		c |= WithRPCSECGSS
	}
	return c
}
