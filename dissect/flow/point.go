package flow

import "github.com/rdmacap/rdmacap/rocev2"

// A Point is a message's place among those of its connection: by its numbers among
// what its sender sent, and by what its sender had acknowledged among what the other
// end sent.
//
//	client ──Send PSN 10──────────────────> server
//	client <───────────Acknowledge PSN 10── server
//	client <────────────────Send PSN 77──── server     its sender had PSN 10
type Point struct {
	// First and Last are the PSNs of its first and its last packet so far, of an RDMA
	// Read those that its responses take; over iWARP both are the MSN. They are valid
	// if Numbered: RDMA Writes over iWARP have none.
	First, Last uint32
	// Had is the newest of the other end's numbers that the sender had acknowledged
	// when it began the message, if Heard: over InfiniBand a PSN, over iWARP the MSN of
	// a Send. Not Heard is also what the capture has out of order.
	Had                    uint32
	From                   End
	Numbered, Acknowledged bool
	// Queue is the queue of DDP that the MSN is of (RFC 5041, section 4.3): 0 of
	// Sends, 1 of RDMA Read requests; 0 over InfiniBand.
	Queue uint8
}

// Has reports whether one of the message's packets has a PSN.
func (p *Point) Has(psn uint32) bool {
	return p.Numbered && rocev2.PSNDiff(psn, p.First) >= 0 && rocev2.PSNDiff(p.Last, psn) >= 0
}

// An Answer is what can be reported to a question.
type Answer int8

const (
	No      Answer = -1
	Unknown Answer = 0
	Yes     Answer = 1
)

// Precedes reports whether one message was sent before another. Of one end's the
// numbers say it. Of two ends' it is proven where the sender of the later one had
// acknowledged the earlier one before; a capture in which frame stands before frame
// proves nothing, since its directions may be out of step. Open stays what crossed
// on the wire, what was acknowledged late, and which came first of a message and
// one whose first packet the capture lacks and that was retransmitted; over iWARP also
// the order of an end's Sends among its RDMA Reads, which are numbered apart.
//
// Numbers wrap: both must be of the newest 2^23 PSNs, or 2^31 MSNs, of their ends.
func (c *Conn) Precedes(a, b *Point) Answer {
	switch {
	case a.From == b.From:
		if !a.Numbered || !b.Numbered || a.Queue != b.Queue || a.First == b.First {
			return Unknown
		}
		if c.distance(a.First, b.First) < 0 {
			return Yes
		}
		return No
	case b.Acknowledged && a.Numbered && a.Queue == 0 && c.distance(b.Had, a.Last) >= 0:
		return Yes
	case a.Acknowledged && b.Numbered && b.Queue == 0 && c.distance(a.Had, b.Last) >= 0:
		return No
	}
	return Unknown
}

// distance is how far a number lies after another of the same end.
func (c *Conn) distance(n, from uint32) int32 {
	if c.carrier == nil {
		return rocev2.PSNDiff(n, from)
	}
	return c.carrier.Distance(n, from)
}

// A Delivery is what became of a message, as far as is known by now.
type Delivery uint8

const (
	Underway     Delivery = iota // the receiver has not said
	Acknowledged                 // the receiver acknowledged all of it
	Refused                      // the receiver refused it, by a NAK or a Terminate
)

// Delivery is what became of a Send, RDMA Write or Read. Over iWARP the bytes of a
// Send are acknowledged by TCP, which says that they arrived and not that they were
// placed; of the RDMA operations nothing is known there. It is to be asked before the
// connection is closed.
func (c *Conn) Delivery(p Point) Delivery {
	if !p.Numbered || p.Queue != 0 || c.carrier == nil {
		return Underway
	}
	return c.carrier.Delivery(p)
}
