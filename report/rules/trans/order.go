package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

// An order follows the packets that one end sends in one PSN space, requests or
// responses to RDMA Reads, and holds each against the one before it (IBA 9.4, 9.7). It goes
// on only from packet to packet: after a gap it waits until a message begins.
//
// It remembers no packet but the last, and package requests no state of the packets: that
// takes what the receiver may take, also where this shows it to break the rules.
type order struct {
	next uint32 // the PSN that comes next, if known
	// open is the kind of the message that the last packet left unfinished, or
	// KindUnknown; announced and sum are the bytes that its RETH announced, and
	// those so far, if measured.
	open            rocev2.Kind
	known, measured bool
	announced, sum  uint64
	begun           flow.Ref
	again           int64 // packets that were sent again up to its first
	// longer is the finding that the response is longer than what was asked for, which grows with it.
	longer *rules.Finding
}

// A breach is what is wrong with a packet's place or size.
type breach uint8

const (
	noBreach      breach = iota
	noLast               // a message begins before the one before it has its last packet
	noFirst              // a message goes on that has not begun
	otherKind            // a message goes on as another kind
	wrongSum             // the payloads are not what was announced
	notFull              // a First or Middle packet has not the size of the others
	longerThanMTU        // a packet is longer than those that must be full
)

// goesOn takes a packet in the middle of the message that the one before it belongs to,
// and reports whether it is such and announced.
func (o *order) goesOn(ib *rocev2.Packet, size uint64) bool {
	if !o.known || ib.PSN != o.next || ib.OpCode.Kind() != o.open || o.measured && o.sum+size > o.announced {
		return false
	}
	o.next = rocev2.PSNAdd(o.next, 1)
	o.sum += size
	return true
}

// takePacket takes a packet that is no repetition, and reports what is wrong with its
// place. Count is how many PSNs it takes, 0 if that is not known; announced are the
// bytes that a message has whose first packet it is, if measured.
func (o *order) takePacket(v *dissect.FrameView, position rocev2.Position, count int, announced uint64, measured bool) breach {
	ib := v.IB
	psn := ib.PSN
	if o.known && psn != o.next {
		o.known = false
	}
	known, open := o.known, o.open
	o.next = rocev2.PSNAdd(psn, max(count, 1))
	switch position {
	case rocev2.PositionFirst, rocev2.PositionOnly:
		o.known = count > 0
		o.open = rocev2.KindUnknown
		if position == rocev2.PositionFirst {
			o.open = ib.OpCode.Kind()
		}
		o.announced, o.measured, o.sum = announced, measured, uint64(ib.PayloadLength())
		o.begun, o.again, o.longer = rules.Ref(v), v.Verdict.Conn.Retransmissions, nil
		if known && open != rocev2.KindUnknown {
			return noLast
		}
		if o.measured && (o.sum > o.announced || position == rocev2.PositionOnly && o.sum != o.announced) {
			o.measured = false
			return wrongSum
		}
		return noBreach
	case rocev2.PositionMiddle, rocev2.PositionLast:
	default:
		o.known = false
		return noBreach
	}
	if !known {
		o.known = position == rocev2.PositionLast
		o.open = rocev2.KindUnknown
		return noBreach
	}
	if position == rocev2.PositionLast {
		o.open = rocev2.KindUnknown
	}
	switch {
	case open == rocev2.KindUnknown:
		return noFirst
	case open != ib.OpCode.Kind():
		o.known = false
		return otherKind
	}
	o.sum += uint64(ib.PayloadLength())
	if o.measured && (o.sum > o.announced || position == rocev2.PositionLast && o.sum != o.announced) {
		o.measured = false
		return wrongSum
	}
	return noBreach
}
