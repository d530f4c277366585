package dissect

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// version2 is what a Connection keeps once a message of version 2 was seen.
type version2 struct {
	negotiation Negotiation
	spoke       [2]bool // which ends sent a message of version 2 that is no error
	timelines   [2]Timeline
	sent        [2]optionals
	refused     [2]bool // whose INIT_XCHAR the peer does not know
}

// A Negotiation is how the two ends of a connection that tried version 2 came to
// a version (draft-cel-nfsv4-rpcrdma-version-two-02, section 6).
type Negotiation struct {
	// Tried is the highest version that was tried, 0 if nothing but its refusal is in
	// the capture; By is the end that did first, and TriedIn the last frame of its
	// message.
	Tried   uint32
	By      flow.End
	TriedIn flow.Ref
	// Refused says that there was an ERR_VERS, in RefusedIn: its sender speaks the
	// versions Low to High.
	Refused   bool
	Low, High uint32
	RefusedIn flow.Ref
	// Agreed is the version that both are known to speak first, 0 as long as nothing
	// but errors came back; AgreedIn is where that was seen, the zero Ref if it was
	// before anybody tried another version than 1.
	Agreed   uint32
	AgreedIn flow.Ref
}

// Negotiation is how the connection came to its version. It is not ok if nobody
// tried another than version 1.
func (c *Connection) Negotiation() (n Negotiation, ok bool) {
	if c.v2 == nil {
		return n, false
	}
	return c.v2.negotiation, true
}

// take2 notes what a message says of the version, and of characteristics. It is
// called before a Sink receives the message.
func (c *Connection) take2(m *Message) {
	h := &m.Header
	if h.Length < rpcrdma.FixedSize {
		return
	}
	if c.v2 == nil {
		if h.Version <= rpcrdma.Version1 {
			c.spoke1 = c.spoke1 || m.agrees()
			return
		}
		if h.Proc == rpcrdma.RDMAError && h.Version > rpcrdma.Version2 && c.spoke1 {
			return // nobody tried that version
		}
		c.v2 = new(version2)
		if c.spoke1 {
			c.v2.negotiation.Agreed = rpcrdma.Version1 // too late for another
		}
	}
	c.v2.negotiate(m)
	switch o := h.Option(); {
	case o != nil:
		c.v2.option(m, o)
	case m.role != RoleNone:
	case h.Proc == rpcrdma.RDMAError:
		c.v2.refusal(m)
	case h.Version > rpcrdma.Version2:
		c.v2.remember(m)
	}
}

// agrees reports whether the message is a reply that is no error, so that its
// sender speaks the version.
func (m *Message) agrees() bool {
	return m.role == RoleAnswer && m.Header.Proc != rpcrdma.RDMAError && !m.Header.Fault.Bad()
}

// negotiate notes what a message says of the version.
func (v *version2) negotiate(m *Message) {
	h, n := &m.Header, &v.negotiation
	if n.AgreedIn != (flow.Ref{}) {
		return
	}
	if h.Version > n.Tried && h.Proc != rpcrdma.RDMAError {
		n.Tried, n.By, n.TriedIn = h.Version, m.From, m.Frame()
	}
	if h.Proc == rpcrdma.RDMAError {
		if h.Error == rpcrdma.ErrVers && !h.Fault.Bad() && !n.Refused {
			n.Refused, n.Low, n.High, n.RefusedIn = true, h.VersLow, h.VersHigh, m.Frame()
		}
		return
	}
	if h.Version == rpcrdma.Version2 && !h.Fault.Bad() {
		v.spoke[m.From] = true
	}
	if n.Agreed == 0 && (m.agrees() && h.Version == rpcrdma.Version1 || v.spoke == [2]bool{true, true}) {
		n.Agreed, n.AgreedIn = h.Version, m.Frame()
	}
}

// role2 is role for a message of version 2, whose direction tells, and for the
// refusal of a version that is not known.
func (d *Dissector) role2(m *Message) Role {
	h, c := &m.Header, m.Connection
	open := c.calls[callKey{h.XID, m.From.Peer()}] != nil
	switch {
	case h.Proc == rpcrdma.RDMAError:
		return c.errorRole(m, open)
	case d.answersByXID(m) && (!h.Directed() || h.Direction != rpcrdma.DirectionCall):
		m.forgetRPC()
		return RoleAnswer
	case !h.Fault.Bad():
		return m.ownRole // of RDMA2_OPTIONAL without an RPC message, nothing
	case h.Proc == rpcrdma.RDMA2Optional || h.Length < rpcrdma.FixedSize:
		return RoleNone
	case open: // its direction may be as wrong as the rest
		return RoleAnswer
	case h.Directed() && h.Direction == rpcrdma.DirectionCall:
		return RoleCall
	case !h.Directed() && c.RolesKnown && c.ToServer(m.From):
		return RoleCall
	}
	return RoleNone
}

// errorRole tells an RDMA2_ERROR that answers a call from one that answers an
// RDMA2_OPTIONAL, which is no call.
func (c *Connection) errorRole(m *Message, open bool) Role {
	h := &m.Header
	option := c.v2 != nil && c.v2.sent[m.From.Peer()].findOptional(h.XID) != nil
	if h.Error == rpcrdma.Err2InvalidOption {
		open = open && !option
		option = true
	}
	switch {
	case open:
		return RoleAnswer
	case option || h.Fault.Bad():
		return RoleNone
	}
	return RoleAnswer
}

// roleFromBody2 is says for a message of version 2. What the RPC message says of itself
// counts more than the direction in front of it, which may be wrong.
func roleFromBody2(h *rpcrdma.Header, data []byte) Role {
	switch h.Proc {
	case rpcrdma.RDMAError:
		return RoleAnswer
	case rpcrdma.RDMANoMsg:
		if _, long := h.PositionZero(); long {
			return RoleCall
		}
	case rpcrdma.RDMA2Optional:
		if h.Option().Known() || !h.CarriesRPC(data) {
			return RoleNone
		}
		return inlineRole(h.XID, data[h.Length:])
	case rpcrdma.RDMAMsg:
		if r := inlineRole(h.XID, data[h.Length:]); r != RoleNone {
			return r
		}
	}
	switch {
	case !h.Directed():
		return RoleNone
	case h.Direction == rpcrdma.DirectionCall:
		return RoleCall
	}
	return RoleAnswer
}
