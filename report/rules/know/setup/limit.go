package setup

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A Limit is how long the Sends of one end may be.
type Limit struct {
	// Bytes is the most, transport header and all.
	Bytes int
	// Default says that the receiver told nothing, so that the default of RFC
	// 8166 holds.
	Default bool
	// Why names what sets the limit: "the server's Receive Size".
	Why string
	// Doubt says what may be missing from the capture that would change it, "" for nothing.
	Doubt string
}

// LimitOf is how long the Sends of an end may be: the least of what it sends and
// what the other takes (RFC 8797, section 4.2); of an end without private data
// only what the other takes. It is not known without the setup.
func LimitOf(c *rules.Conn, from flow.End) (l Limit, known bool) {
	if _, known = c.Thresholds(); !known {
		return l, false
	}
	sender, receiver := Private(c, from), Private(c, from.Peer())
	if receiver == nil {
		return Limit{Bytes: rpcrdma.DefaultThreshold, Default: true, Why: "the default"}, true
	}
	if sender != nil && sender.SendSize() < receiver.ReceiveSize() {
		return Limit{Bytes: sender.SendSize(), Why: sendSize(c, from)}, true
	}
	return Limit{Bytes: receiver.ReceiveSize(), Why: receiveSize(c, from.Peer())}, true
}

// MostOf is how long the Sends of an end may be at most where its own word in the setup is missing from
// the capture: what the other end takes is known, and that the sender may not send as much only lowers
// it. In version 1 only.
func MostOf(c *rules.Conn, from flow.End) (l Limit, known bool) {
	e := from.Peer()
	if told := &c.Handshake.Declared[e&1]; !c.FromStart(e) || !told.Whole {
		return l, false
	}
	if receiver := Private(c, e); receiver != nil {
		return Limit{Bytes: receiver.ReceiveSize(), Why: receiveSize(c, e)}, true
	}
	return Limit{Bytes: rpcrdma.DefaultThreshold, Default: true, Why: "the default"}, true
}

func sendSize(c *rules.Conn, e flow.End) string {
	if e == c.ClientEnd {
		return "the client's Send Size"
	}
	return "the server's Send Size"
}

func receiveSize(c *rules.Conn, e flow.End) string {
	if e == c.ClientEnd {
		return "the client's Receive Size"
	}
	return "the server's Receive Size"
}

// Private is what an end sent of RFC 8797, nil for nothing. Messages that waited for
// the setup are told before Conn knows what is in it, so the bytes are asked too.
func Private(c *rules.Conn, e flow.End) *rpcrdma.PrivateData {
	p := c.ServerPrivate
	if e == c.ClientEnd {
		p = c.ClientPrivate
	}
	if p != nil {
		return p
	}
	found, ok := rpcrdma.FindPrivateData(c.Ends[e&1].PrivateData)
	if !ok {
		return nil
	}
	late := found
	return &late
}

// Sizes is what an end told, for a person.
func Sizes(c *rules.Conn, e flow.End) string {
	switch p := Private(c, e); {
	case p != nil:
		return fmt.Sprintf("Send Size %d, Receive Size %d", p.SendSize(), p.ReceiveSize())
	case c.Ends[e&1].PrivateData == nil:
		return "not captured"
	}
	return "not of RFC 8797, Version 1: 1024 bytes in both directions"
}

// See adds to a finding what the two ends told.
func See(c *rules.Conn, f *rules.Finding) {
	f.See("client's private data", Sizes(c, c.ClientEnd), nil).See("server's private data", Sizes(c, c.ClientEnd.Peer()), nil)
}
