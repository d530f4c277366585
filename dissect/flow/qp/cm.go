package qp

import (
	"bytes"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/rocev2"
)

// commKey names one end of a connection in connection management.
type commKey struct {
	addr link.Addr
	id   uint32
}

// maxManaged is how many CM messages of a connection are remembered.
const maxManaged = 8

// connectionManagement takes a frame of the general services interface.
func (t *Tracker) connectionManagement(f *flow.Frame) flow.Verdict {
	m := &t.cm
	if !m.Decode(f.IB.Payload()) || !m.Enough() {
		return flow.Verdict{}
	}
	if t.damaged {
		return flow.Verdict{Note: flow.Corrupt}
	}
	var c *qpConn
	var from flow.End
	switch m.Kind {
	case rocev2.CMReq:
		c, from = t.connectRequest(f, m), 0
	case rocev2.CMRep:
		c, from = t.connectReply(f, m), 1
	default:
		c, from = t.ofMessage(f, m)
	}
	if c == nil {
		return flow.Verdict{}
	}
	c.Transport = f.Link.Transport
	t.Count(&c.Conn, f)
	t.Open(&c.Conn)
	seen := sighted(order.SightingOf(f), int(f.File), uint32(m.Kind), 0)
	if same, _ := find(c.management, &seen); same {
		c.Duplicates++
		return flow.Verdict{Conn: &c.Conn, From: from, Note: flow.Duplicate}
	}
	note := flow.InOrder
	if again := c.messages&(1<<(m.Kind&31)) != 0; again {
		c.Retransmissions++
		note = flow.Retransmission
	}
	c.messages |= 1 << (m.Kind & 31)
	c.management = inRing(c.management, c.managementCount, maxManaged, seen)
	c.managementCount++
	switch m.Kind {
	case rocev2.CMRtu:
		c.Established = true // there was a REP
	case rocev2.CMRej:
		c.RejectReason = m.Reason
		t.Disconnect(&c.Conn, flow.Rejected)
	case rocev2.CMDreq:
		t.named(c, from, m.QPN)
		t.Disconnect(&c.Conn, flow.Disconnected)
	case rocev2.CMDrep:
		t.Disconnect(&c.Conn, flow.Disconnected)
	}
	c.managed(f, m, from, note)
	v := flow.Verdict{Conn: &c.Conn, From: from, Note: note}
	t.Sink.FrameDone(&c.Conn)
	return v
}

// connectRequest takes a REQ: a new connection, unless it was sent before.
func (t *Tracker) connectRequest(f *flow.Frame, m *rocev2.CM) *qpConn {
	k := commKey{f.Link.Src(), m.LocalCommID}
	c := t.setups[k]
	other := c != nil && !c.between(f) // the ID is used again, with another host
	if c != nil && c.Ends[0].HasQPN || other {
		if !other && c.Ends[0].QPN == m.QPN && c.Handshake.Declared[0].StartingPSN.Value == int(m.StartingPSN) {
			return c // sent again
		}
		t.replace(c, byID) // the ID is used again
		c = nil
	}
	if c == nil {
		c = t.newSetup(f.Link.Src(), f.Link.Dst())
		t.identify(c, 0, m.LocalCommID)
	}
	c.ServiceID = m.ServiceID
	if _, port, ok := rocev2.ServiceIDPort(m.ServiceID); ok {
		c.Service = rocev2.ServiceName(port)
		c.Ends[1].Port = port
	}
	c.Ends[0].Port = m.IP.SrcPort
	c.Ends[0].PrivateData = privateData(m)
	c.PathMTU = m.PathMTU
	switch {
	case m.TransportType == 1:
		c.transport = rocev2.TransportUC
	case m.TransportType == 3 && m.ExtTransport == 1:
		c.transport = rocev2.TransportXRC
	}
	t.direct(c, 1, m.QPN, m.StartingPSN, f)
	return c
}

// connectReply takes a REP, which completes what the REQ began.
func (t *Tracker) connectReply(f *flow.Frame, m *rocev2.CM) *qpConn {
	c := t.setups[commKey{f.Link.Dst(), m.RemoteCommID}]
	other := c != nil && !c.between(f)
	if c != nil && c.hasComm[1] || other {
		if !other && c.commID[1] == m.LocalCommID {
			return c // sent again
		}
		t.replace(c, byID) // the ID is used again, and the REQ not in the capture
		c = nil
	}
	if c == nil {
		// The REQ is not in the capture.
		c = t.newSetup(f.Link.Dst(), f.Link.Src())
		t.identify(c, 0, m.RemoteCommID)
	}
	t.identify(c, 1, m.LocalCommID)
	c.Established = true
	c.Ends[1].PrivateData = privateData(m)
	t.direct(c, 0, m.QPN, m.StartingPSN, f)
	return c
}

// between reports whether a frame goes from one end to the other.
func (c *qpConn) between(f *flow.Frame) bool {
	src, dst, a, b := f.Link.Src(), f.Link.Dst(), c.Ends[0].Addr, c.Ends[1].Addr
	return src == a && dst == b || src == b && dst == a
}

// ofMessage finds the connection that any other CM message is of.
func (t *Tracker) ofMessage(f *flow.Frame, m *rocev2.CM) (*qpConn, flow.End) {
	local, remote := commKey{f.Link.Src(), m.LocalCommID}, commKey{f.Link.Dst(), m.RemoteCommID}
	if c := t.setups[local]; c != nil && local.id != 0 {
		return c, c.endOf(local)
	}
	if c := t.setups[remote]; c != nil && remote.id != 0 {
		return c, c.endOf(remote).Peer()
	}
	return nil, 0
}

// endOf is the end that has a communication ID of the connection.
func (c *qpConn) endOf(k commKey) flow.End {
	if c.hasComm[0] && c.commID[0] == k.id && c.Ends[0].Addr == k.addr {
		return 0
	}
	return 1
}

// privateData copies the private data, nil if the frame lacks some of it.
func privateData(m *rocev2.CM) []byte {
	if m.Fault.Bad() {
		return nil
	}
	return bytes.Clone(m.PrivateData)
}

func (t *Tracker) newSetup(client, server link.Addr) *qpConn {
	at := t.At
	t.At.Phase, t.At.Order = flow.Retiring, anew
	c := t.newConn(flow.SetupCM)
	t.At = at
	c.RolesKnown = true
	c.Ends[0].Addr, c.Ends[1].Addr = client, server
	return c
}

// identify notes the communication ID of one end.
func (t *Tracker) identify(c *qpConn, e flow.End, id uint32) {
	c.commID[e], c.hasComm[e] = id, true
	t.setups[commKey{c.Ends[e].Addr, id}] = c
}

// direct makes the direction that end sends: its packets name the peer's queue
// pair and begin with the PSN that the peer asked for in a frame. Whatever used
// that queue pair before has ended.
func (t *Tracker) direct(c *qpConn, sender flow.End, qpn, startingPSN uint32, f *flow.Frame) {
	k := key{c.Ends[sender].Addr, c.Ends[sender.Peer()].Addr, qpn, c.transport}
	h := t.requesters[k]
	if h != nil && h.conn == nil && !h.begins(startingPSN) {
		t.release(h) // what waits is older than this connection
	}
	switch {
	case h == nil:
		h = t.emptyRequester(k)
	case h.conn == nil: // frames came before the CM message did
	case h.conn == c:
		h.beginsWith(startingPSN, flow.Moment{Ref: f.Ref(), Time: f.Time})
		return
	default:
		t.replace(h.conn, byQueuePair)
		h = t.emptyRequester(k)
	}
	t.requesters[k] = h
	delete(t.marks, k)
	delete(t.evicted, k)
	t.last = [2]*requester{}
	t.attach(c, h, sender)
	h.known, h.next = true, startingPSN
	h.indexNext()
	if len(h.queue) > 0 {
		t.Open(&c.Conn)
		t.replay(h)
	}
}

// begins reports whether the first request that waits in the half is one of the
// first that follow a PSN.
func (h *requester) begins(psn uint32) bool {
	for _, k := range h.queue {
		if k.IB.OpCode.IsRequest() {
			d := rocev2.PSNDiff(k.IB.PSN, psn)
			return d >= 0 && d <= order.ReorderWindow
		}
	}
	return len(h.queue) <= order.ReorderWindow
}
