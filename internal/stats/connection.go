package stats

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// A Range is what values of the same kind came to.
type Range struct {
	// Min, Max and Last are the least, the greatest and the last of them, Count
	// how many there were.
	Min, Max, Last uint32
	Count          int64
}

func (r *Range) addValue(v uint32) {
	if r.Count == 0 {
		r.Min, r.Max = v, v
	}
	r.Count++
	r.Min, r.Max, r.Last = min(r.Min, v), max(r.Max, v), v
}

// Calls is what is counted of the calls that one end of a connection sends.
type Calls struct {
	// Count is how many were sent.
	Count int64
	// Requested are the credits that the calls ask for, Granted those that the
	// replies grant (RFC 8166, section 3.3). Each direction has its own.
	Requested, Granted Range
	// MostOpen is the most calls at once that no reply was seen for. Of a
	// connection whose beginning is not in the capture it is a lower bound.
	MostOpen int
}

// Sends is what is counted of the Sends that one end of a connection sends and
// that carry RPC-over-RDMA.
type Sends struct {
	// Count is how many there were, Longest the bytes of the longest: its
	// transport header and what stands after it, which is what the inline
	// threshold limits.
	Count   int64
	Longest int
	// Invalidates are those that are a Send with Invalidate.
	Invalidates int64
}

// Traffic is what is counted of the messages of one connection.
type Traffic struct {
	// Calls are by the requester, Sends by the sender.
	Calls [2]Calls
	Sends [2]Sends
}

// A Connection is what is counted of one connection.
type Connection struct {
	Traffic
	// Table has the operations. Unlisted are the RPCs that have no row in it,
	// since there were too many; they are in the totals' Others.
	Table    Table
	Unlisted int64
	// RPCs counts all.
	RPCs int64
}

// message counts a message.
func (c *Traffic) message(m *dissect.Message) {
	s := &c.Sends[m.From]
	s.Count++
	s.Longest = max(s.Longest, m.Length)
	if m.HasInvalidated {
		s.Invalidates++
	}
	if m.Header.Length >= fixedHeader {
		c.credits(m)
	}
	if r := m.RPC(); r != nil && m == r.Call {
		calls := &c.Calls[r.Requester]
		calls.Count++
		calls.MostOpen = max(calls.MostOpen, m.Connection.Outstanding(r.Requester)+1)
	}
}

// fixedHeader is the bytes of the four words that every transport header begins with.
const fixedHeader = 16

// credits counts what a message requests or grants.
func (c *Traffic) credits(m *dissect.Message) {
	if credits, requester, ok := Grant(m); ok {
		c.Calls[requester].Granted.addValue(credits)
		return
	}
	h := &m.Header
	switch r := m.RPC(); {
	case r != nil:
		c.Calls[r.Requester].Requested.addValue(h.Credits)
	case h.Directed() && !h.Fault.Bad():
		c.Calls[m.From].Requested.addValue(h.Credits)
	}
}

// Grant is how many credits a message grants, and to which end, if it grants any: a reply does
// (RFC 8166, section 3.3), and what is neither call nor reply if its direction is that of
// replies, in version 2 (draft-cel-nfsv4-rpcrdma-version-two-02, section 4.2).
func Grant(m *dissect.Message) (credits uint32, requester flow.End, ok bool) {
	h := &m.Header
	if h.Length < fixedHeader {
		return 0, 0, false
	}
	switch r := m.RPC(); {
	case r != nil:
		return h.Credits, r.Requester, m != r.Call
	default:
		return h.Credits, m.From.Peer(), h.Directed() && !h.Fault.Bad() && h.Direction != rpcrdma.DirectionCall
	}
}

// CallsOf is what is counted of the calls that travel to the server, or to the
// client.
func (c *Traffic) CallsOf(of *dissect.Connection, toServer bool) *Calls {
	return &c.Calls[sender(of, toServer)]
}

// SendsOf is what is counted of the Sends that travel to the server, or to the
// client.
func (c *Traffic) SendsOf(of *dissect.Connection, toServer bool) *Sends {
	return &c.Sends[sender(of, toServer)]
}

func sender(c *dissect.Connection, toServer bool) flow.End {
	if toServer {
		return c.ClientEnd
	}
	return c.ClientEnd.Peer()
}
