package qp

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/rocev2"
)

// requester is one direction of a connection: the packets that one end sends, and
// the PSN space of the requests among them. What a packet needs stands together, in
// few lines of a processor's cache: of many connections none is there when its next
// packet comes.
type requester struct {
	shared *flow.Shared
	key    key

	conn *qpConn    // nil while it waits to be paired
	peer *requester // the other direction, nil if it was not seen
	// next is the PSN that the next request carries, if known. Where the path
	// MTU is not known yet, a READ request may have taken up to slack more.
	next, slack uint32
	// acked is the highest PSN that the peer acknowledged, if anyAck.
	acked                          uint32
	end                            flow.End // the sender
	transport                      link.Transport
	known, anyAck, denied, guessed bool
	replaying                      bool    // a response of early is processed: it is late by no fault of its own
	goodICRC                       bool    // some packet's ICRC was right
	spoke                          bool    // there was a packet
	belated                        bool    // the request that is accepted was sent before what the capture has before it
	held                           []*held // requests that came before one that is missing, by PSN

	message *flow.Message // nil until one of several packets begins
	search  *search       // nil once the other direction is known
	ackedAt order.Instant // when the last response came
	ackedID uint16        // the IPv4 identification of that which acknowledged acked
	idents  idents        // of what the sender sends
	begunID uint16        // the IPv4 identification of the request that was captured first
	ackedBy flow.Moment   // the first frame that acknowledged acked
	// How far each file has the half's requests, acknowledgements and responses,
	// the latter two by the PSNs of the other direction.
	requests order.Fronts
	reads    reads
	recent   recent
	skew     skew
	gap      gap
	acks     order.Fronts
	lastAck  order.Sighting // the last acknowledgement that the sender sent
	// refused is the PSN that the peer refused last, otherwise than for one before it
	// that is missing, if denied.
	refused uint32
	// begun is the PSN that the half began with, at begunAt, if guessed from the
	// requests and not told by the setup; prior is that up to which requests were
	// sent before it was captured, begun - 1 if it may have been the first.
	begun, prior uint32
	heldSize     int32 // the cost of what is held
	queued       int   // the cost of queue
	responsePSNs responsePSNs
	responses    order.Fronts
	beyond       beyond
	before       int32 // the responses to the request that is accepted that the peer had sent when it came
	begunAt      order.Instant
	early        []*held // responses that came before their request
	queue        []*held // everything, while the half waits for its connection
}

// request takes a request packet: in order, early, or seen before.
func (h *requester) request(p *flow.Frame) (note flow.Note, missing int) {
	psn := p.IB.PSN
	if !h.known {
		h.beginAt(psn, p)
	}
	fresh := h.requests.PSN(int(p.File), psn)
	d := rocev2.PSNDiff(psn, h.next)
	switch {
	case d > 0 && uint32(d) <= h.slack:
		d = 0 // the READ request before it took these PSNs
	case d > maxPSNJump || d < -maxPSNJump:
		h.restart(psn)
		d = 0
	}
	switch {
	case d == 0:
		h.beginsAgain(psn)
		if note = h.filled(p, fresh); note == flow.InOrder {
			h.skewed(p)
		}
		h.belated, h.before = note != flow.InOrder, h.answered(psn)
		h.conn.comes(note)
		h.accept(p)
		h.belated = false
		h.drain()
		h.recent.addPacket(p, note == flow.LostOnWire || note == flow.Retransmission)
		return note, 0
	case d < 0:
		note = h.preceding(p, h.recent.repeated(p, fresh))
		h.repeat(note)
		if note == flow.Retransmission && p.IB.OpCode.Kind() == rocev2.KindReadRequest {
			h.reads.askedAgain(p.IB.PSN, h.conn.Frames)
		}
		return note, 0
	}
	at, held := h.findHeld(psn)
	if held {
		note = h.recent.repeated(p, fresh)
		h.repeat(note)
		return note, 0
	}
	h.recent.addPacket(p, false)
	return flow.Gap, h.hold(p, at)
}

// maxPSNJump is a distance between PSNs that no loss explains: the queue pair
// number serves a new connection, or the capture has a hole of that size.
const maxPSNJump = 1 << 17

// repeat counts a packet that was seen before.
func (h *requester) repeat(note flow.Note) {
	switch note {
	case flow.Duplicate:
		h.conn.Duplicates++
		return
	case flow.Reordered:
		h.conn.Reordered++
		return
	}
	h.conn.Retransmissions++
	h.gap.resent = len(h.held) > 0
}

// accept processes the packet that carries the next PSN.
func (h *requester) accept(p *flow.Frame) {
	h.slack = 0
	h.next = rocev2.PSNAdd(p.IB.PSN, 1)
	h.conn.learnMTU(&p.IB)
	switch p.IB.OpCode.Kind() {
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
func (h *requester) restart(psn uint32) {
	h.conn.AddHole(h.end, flow.Moment{Ref: h.conn.Last, Time: h.conn.LastTime})
	h.broken("the PSNs begin anew")
	h.forgetHeld()
	h.reads.forget()
	h.forgetEarly()
	h.gap = gap{}
	h.responsePSNs.clear()
	h.anyAck, h.denied = false, false
	h.skew = skew{}
	h.slack = 0
	h.next, h.guessed = psn, false
	h.requests = order.Fronts{}
	if h.peer != nil {
		h.peer.responses, h.peer.acks = order.Fronts{}, order.Fronts{}
	}
}

// response takes a response packet of the other direction, whose PSN is of
// this half's space.
func (h *requester) response(p *flow.Frame) (note flow.Note, missing int) {
	h.conn.learnMTU(&p.IB)
	psn := p.IB.PSN
	switch p.IB.OpCode.Kind() {
	case rocev2.KindReadResponse:
		if h.surplus(p) {
			psn = h.beyond.last
		} else {
			note, missing = h.readResponse(p)
		}
	case rocev2.KindAcknowledge:
		if h.peer.acknowledgedTwice(p) {
			h.conn.Duplicates++
			return flow.Duplicate, 0
		}
		if p.IB.AETH() == 0 {
			psn = rocev2.PSNAdd(psn, -1) // cut: true of an ACK and of a NAK
		} else if s := p.IB.Syndrome(); s.IsNAK() || s.IsRNR() {
			if s.IsNAK() {
				h.conn.NAKs++
				h.gap.nak()
				if s != rocev2.NAKPSNSequenceError {
					h.refused, h.denied = psn, true
				}
			} else {
				h.conn.RNRs++
			}
			h.recent.forget()
			psn = rocev2.PSNAdd(psn, -1) // what it names did not arrive, all before it did
		}
	}
	if note != flow.Duplicate {
		h.noteAnswer(p)
	}
	if h.acknowledged(psn) {
		h.ackedID = p.Link.IPID
	}
	h.ackedAt = order.Instant{Time: p.Time, Frames: h.conn.Frames}
	return note, missing
}

// acknowledged notes that the peer has everything up to a PSN, and reports whether that is news.
func (h *requester) acknowledged(psn uint32) (news bool) {
	if !h.known {
		return false
	}
	if d := rocev2.PSNDiff(psn, h.next); d > maxPSNJump || d < -maxPSNJump {
		return false // of another life of the queue pair
	}
	if news = !h.anyAck || rocev2.PSNDiff(psn, h.acked) > 0; news {
		first := !h.anyAck
		goesOn := !first && h.reads.goesOn(h.acked, psn)
		h.acked, h.anyAck = psn, true
		h.ackedBy = flow.Moment{Ref: h.conn.Last, Time: h.conn.LastTime}
		if first && h.guessed {
			h.answeredBefore()
		}
		if !goesOn {
			h.lack(psn)
		}
		for _, k := range h.held {
			if k.proven == 0 && h.proves(k.IB.PSN) {
				k.proven = h.conn.Frames
			}
		}
	}
	return news
}

// acknowledgedTwice reports whether an acknowledgement is one that the sender
// sent, captured again.
func (h *requester) acknowledgedTwice(p *flow.Frame) bool {
	seen := order.SightingOf(p)
	if h.lastAck.Near(seen) {
		return true
	}
	h.lastAck = seen
	fresh := h.acks.PSN(int(p.File), p.IB.PSN)
	if s := p.IB.Syndrome(); p.IB.AETH() != 0 && !s.IsACK() {
		m := rememberedOf(p)
		same, _ := find(h.recent.first, &m)
		if !same {
			h.recent.addPacket(p, false)
		}
		return same
	}
	// What acknowledges more came already, by another file.
	return fresh && h.acks.Others(int(p.File), p.IB.PSN)
}
