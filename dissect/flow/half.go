package flow

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/rocev2"
)

// half is one direction of a connection: the packets that one end sends, and
// the PSN space of the requests among them.
type half struct {
	t         *Tracker
	key       key
	transport link.Transport
	conn      *Conn // nil while it waits to be paired
	end       End   // the sender
	peer      *half // the other direction, nil if it was not seen

	// next is the PSN that the next request carries, if known. Where the path
	// MTU is not known yet, a READ request may have taken up to slack more.
	next  uint32
	known bool
	slack uint32

	// acked is the highest PSN that the peer acknowledged, if anyAck.
	acked  uint32
	anyAck bool

	held     []*held // requests that came before one that is missing, by PSN
	heldSize int     // octets in held
	gap      gap

	message message
	reads   reads
	early   []*held // responses that came before their request

	recent   recent
	goodICRC bool
	queue    []*held // everything, while the half waits for its connection
	queued   int     // octets in queue
}

// request takes a request packet: in order, early, or seen before.
func (h *half) request(p *packet) (note Note, missing int) {
	psn := p.ib.PSN
	if !h.known {
		h.known, h.next = true, psn
	}
	d := rocev2.PSNDiff(psn, h.next)
	switch {
	case d > 0 && uint32(d) <= h.slack:
		d = 0 // the READ request before it took these PSNs
	case d > farAway || d < -farAway:
		h.restart(psn)
		d = 0
	}
	switch {
	case d == 0:
		note = h.filled(p)
		h.accept(p)
		h.drain()
		h.recent.add(p)
		return note, 0
	case d < 0:
		note = h.recent.repeated(p)
		h.repeat(note)
		return note, 0
	}
	if h.isHeld(psn) {
		note = h.recent.repeated(p)
		h.repeat(note)
		return note, 0
	}
	h.recent.add(p)
	return Gap, h.hold(p)
}

// farAway is a distance between PSNs that no loss explains: the queue pair
// number serves a new connection, or the capture has a hole of that size.
const farAway = 1 << 17

// repeat counts a packet that was seen before.
func (h *half) repeat(note Note) {
	if note == Duplicate {
		h.conn.Duplicates++
		return
	}
	h.conn.Retransmissions++
	h.gap.resent = len(h.held) > 0
}

// accept processes the packet that carries the next PSN.
func (h *half) accept(p *packet) {
	h.slack = 0
	h.next = rocev2.PSNAdd(p.ib.PSN, 1)
	h.conn.learnMTU(p.ib)
	switch p.ib.OpCode.Kind() {
	case rocev2.KindSend:
		h.send(p)
	case rocev2.KindWrite:
		h.write(p)
	case rocev2.KindReadRequest:
		h.broken("a request in the middle of a message")
		h.read(p)
	default:
		h.broken("a request in the middle of a message")
	}
}

// restart begins the PSN space anew where the old one cannot go on.
func (h *half) restart(psn uint32) {
	h.broken("the PSNs begin anew")
	h.held, h.heldSize = h.held[:0], 0
	h.reads.forget()
	h.gap = gap{}
	h.anyAck = false
	h.slack = 0
	h.next = psn
}

// learnMTU takes the path MTU from a packet that is full by definition.
func (c *Conn) learnMTU(ib *rocev2.Packet) {
	switch ib.OpCode.Position() {
	case rocev2.PositionFirst, rocev2.PositionMiddle:
		if n := ib.PayloadLength(); n > 0 {
			c.PathMTU = n
		}
	}
}

// response takes a response packet of the other direction, whose PSN is of
// this half's space.
func (h *half) response(p *packet) Note {
	h.conn.learnMTU(p.ib)
	note := InOrder
	switch p.ib.OpCode.Kind() {
	case rocev2.KindReadResponse:
		note = h.readResponse(p)
	case rocev2.KindAcknowledge:
		switch s := p.ib.Syndrome(); {
		case s.IsNAK():
			h.conn.NAKs++
			h.gap.nak()
			h.recent.forget()
			return InOrder // what it names did not arrive
		case s.IsRNR():
			h.conn.RNRs++
			h.recent.forget()
			return InOrder
		}
	}
	if h.known && (!h.anyAck || rocev2.PSNDiff(p.ib.PSN, h.acked) > 0) {
		h.acked, h.anyAck = p.ib.PSN, true
	}
	return note
}

// reborn reports whether a packet that names an ended half connection begins a
// new one: a request whose PSN the old one could not have.
func (h *half) reborn(p *packet) bool {
	d := rocev2.PSNDiff(p.ib.PSN, h.next)
	return p.ib.OpCode.IsRequest() && (d < -farAway || d > 64)
}
