package trans

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/rocev2"
)

// terms are what one end told the other in the set-up: in its REQ or REP, or in
// its MPA Request or Reply.
type terms struct {
	known bool
	// rnrRetry is how often it wishes the other end to try again when it is not
	// ready, retry how often after a time-out (of a REQ only).
	rnrRetry, retry      uint8
	hasRNR, hasRetry     bool
	timeout              time.Duration // Local ACK Timeout of a REQ, 0 for none
	ready                bool          // it said RTU
	responder, initiator int           // how many RDMA Reads it takes and issues at a time
	hasDepths            bool
}

// endless is the RNR retry count that is no limit (IBA 9.7.5).
const endless = 7

// takeCM takes a message of connection management.
func (t *terms) takeCM(ib *rocev2.Packet) {
	var m rocev2.CM
	if !rocev2.IsCM(ib.DestQP, ib.QKey()) || !m.Decode(ib.Payload()) {
		return
	}
	switch m.Kind {
	case rocev2.CMRtu:
		t.ready = true
		return
	case rocev2.CMReq:
		t.retry, t.hasRetry = m.RetryCount, !m.Fault.Bad()
		if p := ib.Payload(); t.hasRetry && len(p) > localACKTimeout {
			t.timeout = ackTimeout(p[localACKTimeout] >> 3)
		}
	case rocev2.CMRep:
	default:
		return
	}
	if m.Fault.Bad() {
		return // cut: what is not there reads as zero
	}
	t.known = true
	t.rnrRetry, t.hasRNR = m.RNRRetryCount, true
	t.responder, t.initiator, t.hasDepths = int(m.ResponderResources), int(m.InitiatorDepth), true
}

// localACKTimeout is the octet of a REQ with the Local ACK Timeout of the primary path,
// in its upper five bits (InfiniBand Architecture 1.3, volume 1, section 12.6.5).
const localACKTimeout = rocev2.MADHeaderSize + 95

// ackTimeout is how long a requester waits for an ACK at least, 0 if without an end
// (section 9.7.6.1.3).
func ackTimeout(exponent uint8) time.Duration {
	const unit = 4096 * time.Nanosecond
	if exponent == 0 {
		return 0
	}
	return unit << exponent
}

// timeout is the Local ACK Timeout that the REQ told, 0 if that is not known.
func (w *wire) timeout() time.Duration { return max(w.told[0].timeout, w.told[1].timeout) }

// takeMPA takes a start frame.
func (t *terms) takeMPA(s *iwarp.Start) {
	const open = 0x3fff // nothing is negotiated (RFC 6581, section 9.1)
	t.known = true
	t.hasDepths = s.HasDepths && s.IRD != open && s.ORD != open
	t.responder, t.initiator = int(s.IRD), int(s.ORD)
}

// depth is how many RDMA Reads an end may have open: no more than it said that it
// issues, and than its peer said that it takes.
func (w *wire) depth(requester flow.End) (n int, known bool) {
	a, b := &w.told[requester&1], &w.told[requester&1^1]
	if !a.hasDepths || !b.hasDepths {
		return 0, false
	}
	return min(a.initiator, b.responder), true
}
