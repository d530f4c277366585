package rpcrdma

import "encoding/binary"

// A Likeness says how much a Send of an unknown protocol looks like a message
// of RPC-over-RDMA.
type Likeness uint8

const (
	None   Likeness = iota // it is not one, or too little of it is here to say
	Weak                   // it may be one, but chance or another protocol could make it
	Strong                 // it is one: words that chance does not agree on agree
)

// String is "none", "weak" or "strong".
func (l Likeness) String() string {
	switch l {
	case Weak:
		return "weak"
	case Strong:
		return "strong"
	}
	return "none"
}

// Recognise judges whether b, the whole payload of a Send of an unknown
// protocol, is an RPC-over-RDMA message, and decodes it into h where the result
// is not None. Only what such traffic agrees on counts as Strong:
//
//   - RDMA_MSG: an RPC call or reply follows the header, with the same XID;
//   - RDMA_NOMSG: the header fills the Send and names memory;
//   - RDMA2_OPTIONAL: an operation of transport characteristics fills the Send, or
//     an RPC message with the same XID follows.
//
// RDMA_ERROR, some small words and no more, and the retired RDMA_MSGP and
// RDMA_DONE are at most Weak. A message that the
// capture cut short is None where what is missing would have been the proof.
func (h *Header) Recognise(b []byte) Likeness {
	// Most Sends of other protocols end here.
	_, version, _, proc, ok := Peek(b)
	if !ok || version == 0 || version > Version2 || Proc(proc) > RDMA2Optional || !h.Decode(b) {
		return None
	}
	payload := b[h.Length:]
	switch h.Proc {
	case RDMAError:
		// The responder's credits are not looked at: an error may come
		// before it has any to grant.
		if len(payload) == 0 && h.VersLow <= h.VersHigh {
			return Weak
		}
	case RDMAMsg:
		if h.Credits != 0 && startsRPC(payload, h.XID) {
			return Strong
		}
	case RDMANoMsg:
		if h.Credits != 0 && len(payload) == 0 && h.namesMemory() {
			return Strong
		}
	case RDMAMsgP:
		if h.Credits != 0 && startsRPC(payload, h.XID) {
			return Weak
		}
	case RDMADone:
		if h.Credits != 0 && len(payload) == 0 {
			return Weak
		}
	case RDMA2Optional:
		return h.recogniseOption(payload)
	}
	return None
}

// recogniseOption is Recognise for an RDMA2_OPTIONAL.
func (h *Header) recogniseOption(payload []byte) Likeness {
	o := h.Option()
	switch {
	case o.Fault.Bad():
	case o.Known() && o.Left == 0 && len(payload) == 0, startsRPC(payload, h.XID):
		return Strong
	case !o.Known() && h.Credits != 0 && len(payload) == 0:
		return Weak
	}
	return None
}

// CarriesRPC reports whether an RPC call or reply with the header's XID begins
// after it in b, the message that it was decoded from.
func (h *Header) CarriesRPC(b []byte) bool { return startsRPC(b[min(h.Length, len(b)):], h.XID) }

// startsRPC reports whether b begins as an ONC RPC message does (RFC 5531,
// section 9): the XID, then CALL and RPC version 2, or REPLY and a reply_stat.
func startsRPC(b []byte, xid uint32) bool {
	if len(b) < 12 || binary.BigEndian.Uint32(b) != xid {
		return false
	}
	third := binary.BigEndian.Uint32(b[8:])
	switch binary.BigEndian.Uint32(b[4:]) {
	case 0:
		return third == 2
	case 1:
		return third <= 1
	}
	return false
}

// namesMemory reports whether some segment has a handle and a length.
func (h *Header) namesMemory() bool {
	for i := range h.Reads {
		if h.Reads[i].named() {
			return true
		}
	}
	for i := range h.Segments {
		if h.Segments[i].named() {
			return true
		}
	}
	return false
}

func (s Segment) named() bool { return s.Handle != 0 && s.Length != 0 }
