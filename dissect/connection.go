package dissect

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// A Connection is a flow.Conn and what RPC-over-RDMA makes of it. What each frame needs
// comes first.
type Connection struct {
	*flow.Conn
	// User is for the Sink: what it keeps of the connection.
	User any

	pace     pace
	late     []*RPC // answered, but with parts that may still come
	held     *RPC   // answered, until that is acknowledged: the newest, whose next is the oldest
	protocol protocol
	otherULP bool    // a Send was not RPC-over-RDMA, while the protocol was unknown
	declared [2]bool // which ends' private data setUp has looked at
	shown    bool
	spoke1   bool   // a reply of version 1 was seen, before any message of another version
	holds    uint16 // how many are held

	// Version is the RPC-over-RDMA version spoken, 0 until a message was seen.
	Version  uint32
	refusals refusals
	// Messages and RPCs count what was found on it.
	Messages, RPCs int64
	ledger         rpcrdma.Ledger
	calls          map[callKey]*RPC
	open           [2]openCalls // those of calls, by the end that sent them
	v2             *version2
	bindings       *Bindings
	history        History
	// ClientPrivate and ServerPrivate are the RFC 8797 private data of the two
	// ends, nil where an end sent none or it was not captured.
	ClientPrivate, ServerPrivate *rpcrdma.PrivateData
	// Cut counts the messages that are not Whole, CutWhy is why the first was not; Protected
	// counts the RPCs whose arguments and results RPCSEC_GSS protects.
	Cut, Protected int64
	CutWhy         string
}

// protocol is what the Sends of a connection are.
type protocol uint8

const (
	unknown protocol = iota // look at each Send
	rpcRDMA                 // RPC-over-RDMA: what does not decode is malformed
	other                   // something else: leave it alone
)

// cut notes a message that is not whole.
func (c *Connection) cut(m *Message) {
	if c.Cut++; c.CutWhy == "" {
		c.CutWhy = m.Missing
	}
}

// RefusedReplies counts the RPCs with a reply that its receiver refused, by a NAK or a Terminate: they have no answer.
// Over iWARP a Sink may have received one as answered, where TCP had acknowledged the reply before.
func (c *Connection) RefusedReplies() int64 { return int64(c.refusals[0]) + int64(c.refusals[1]) }

// callKey finds the call that a reply answers: XIDs are chosen by each
// requester for itself.
type callKey struct {
	xid       uint32
	requester flow.End
}

// RPCRDMA reports whether the connection is known to speak RPC-over-RDMA. While
// neither this nor Other is true, nothing has shown what it speaks.
func (c *Connection) RPCRDMA() bool { return c.protocol == rpcRDMA }

// Other reports whether the connection is known to speak another protocol than
// RPC-over-RDMA.
func (c *Connection) Other() bool { return c.protocol == other }

// Outstanding is how many calls of an end have no reply so far. While a Sink is
// told of a call, that is not counted yet; while a reply is emitted, the call
// that it answers still is. A call whose XID serves a new one counts no more, nor
// does one that the Dissector forgot to stay within its bounds.
func (c *Connection) Outstanding(requester flow.End) int { return c.open[requester].all() }

// Ledger is the account of the memory that the calls of both ends advertised.
func (c *Connection) Ledger() *rpcrdma.Ledger { return &c.ledger }

// setUp takes what connection management said.
func (c *Connection) setUp() {
	c.ClientPrivate = privateData(c.Client(), c.ClientPrivate)
	c.ServerPrivate = privateData(c.Server(), c.ServerPrivate)
	for e := range c.declared {
		c.declared[e] = c.Ends[e].PrivateData != nil
	}
	switch {
	case c.protocol != unknown:
	case c.ClientPrivate != nil || c.ServerPrivate != nil:
		c.protocol = rpcRDMA
		c.Service = "NFS/RDMA"
	case c.Setup != flow.SetupInferred && c.Service != "" && c.Service != "NFS/RDMA":
		c.protocol = other
	}
}

// refresh takes what a message of the setup said that came since.
func (c *Connection) refresh() {
	if c.declared != [2]bool{true, true} {
		c.setUpRead()
	}
}

func (c *Connection) setUpRead() {
	if !c.declared[0] && c.Ends[0].PrivateData != nil || !c.declared[1] && c.Ends[1].PrivateData != nil {
		c.setUp()
	}
}

// recognises reports whether a Send shows that the connection speaks
// RPC-over-RDMA. The port alone does not: rping may use any. But where it is
// that of NFS/RDMA, and nothing else was sent to it, less likeness is enough.
func (c *Connection) recognises(l rpcrdma.Likeness) bool {
	if l == rpcrdma.Strong || l == rpcrdma.Weak && c.Service == "NFS/RDMA" && !c.otherULP {
		return true
	}
	c.otherULP = true
	return false
}

// Recognised reports whether the connection was known to speak RPC-over-RDMA from its first Send on: by
// private data, or since that Send showed it. Else messages may have gone by before.
func (c *Connection) Recognised() bool {
	return c.ClientPrivate != nil || c.ServerPrivate != nil || c.protocol == rpcRDMA && !c.otherULP
}

// privateData is what an end sent: former, which is what it was taken for before, if that
// says the same.
func privateData(e *flow.Endpoint, former *rpcrdma.PrivateData) *rpcrdma.PrivateData {
	p, ok := rpcrdma.FindPrivateData(e.PrivateData)
	switch {
	case !ok:
		return nil
	case former != nil && *former == p:
		return former
	}
	made := p
	return &made
}
