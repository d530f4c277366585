package qp

import "github.com/rdmacap/rdmacap/dissect/flow"

// aloneQueue is how many packets of a half wait before it is given to a connection that was
// set up in the capture, without evidence by the other direction: more than an end sends before
// that has to answer.
const aloneQueue = 32

// alone reports whether a half is that which a connection lacks of whose other end the
// capture has nothing: neither its word in the setup nor a packet. What it sends names a
// queue pair that only the word of that end would tell.
func (t *Tracker) alone(h *requester) bool {
	c, end := t.adopter(h)
	return c != nil && c.Established && c.captured(end) && !c.captured(end.Peer())
}

// captured reports whether the capture has anything that an end sent: a REQ, a REP or a packet.
func (c *qpConn) captured(e flow.End) bool {
	h := c.requesters[e&1]
	return h != nil && h.spoke || c.Handshake.Declared[e&1].Captured
}
