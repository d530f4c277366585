package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A request is a message that an end sent, which its peer may still refuse. Its fields
// stand by their size: each connection remembers many.
type request struct {
	// ref and time are of the frame that brought the last of it; again is how
	// many packets of the connection had been sent again when it began.
	ref   flow.Ref
	time  int64
	again int64
	// offset, handle and length are those of the RETH, if named: it may have been
	// cut off.
	offset uint64
	handle uint32
	length uint32
	// first and last are its PSNs as far as it was sent; of a READ request those
	// of its responses too.
	first, last uint32
	// octets are those of the payload so far, invalidate is the IETH's R_Key.
	octets                       int32
	invalidate                   uint32
	xid                          uint32
	kind                         rocev2.Kind
	opcode                       rocev2.OpCode // of its first packet
	named, hasInvalidate, hasXID bool
}

// mostRequests is how many are remembered of an end: a NAK comes within a round
// trip, and names the first that was not taken.
const mostRequests = 64

// requests are the last ones of an end.
type requests struct{ rules.Ring[request] }

// newest is the request that began last, nil before the first.
func (q *requests) newest() *request {
	n := q.Added()
	if n == 0 {
		return nil
	}
	return q.At((n - 1) % mostRequests)
}

func (q *requests) next() *request {
	r := q.Add(mostRequests)
	*r = request{}
	return r
}

// goesOn takes a packet of a request behind its first, which begins none if the one
// before it is not known.
func (q *requests) goesOn(v *dissect.FrameView, ib *rocev2.Packet) {
	r := q.newest()
	if r == nil || rocev2.PSNAdd(r.last, 1) != ib.PSN || r.kind != ib.OpCode.Kind() {
		return
	}
	r.last = ib.PSN
	r.octets += int32(ib.PayloadLength())
	r.ref, r.time = rules.Ref(v), v.Frame.Time
	if v.Message != nil || ib.OpCode.Position() == rocev2.PositionLast {
		r.ends(v, ib)
	}
}

// begins takes the first packet of a request.
func (q *requests) begins(v *dissect.FrameView, ib *rocev2.Packet, mtu int) {
	r := q.next()
	r.kind, r.opcode, r.first, r.last = ib.OpCode.Kind(), ib.OpCode, ib.PSN, ib.PSN
	r.octets = int32(ib.PayloadLength())
	r.ref, r.time = rules.Ref(v), v.Frame.Time
	r.again = v.Verdict.Conn.Retransmissions
	if ib.RETH() != 0 {
		r.named, r.handle, r.offset, r.length = true, ib.RKey(), ib.VA(), ib.DMALen()
		if r.kind == rocev2.KindReadRequest && mtu > 0 {
			r.last = rocev2.PSNAdd(r.first, packets(r.length, mtu)-1)
		}
	}
	r.ends(v, ib)
}

// packets is how many packets a response of n octets takes.
func packets(n uint32, mtu int) int {
	return int(max(1, (uint64(n)+uint64(mtu)-1)/uint64(mtu)))
}

// ends notes what the last packet brings, or the one that completed the message where it
// came late: which message of RPC-over-RDMA it is, and what it invalidates.
func (r *request) ends(v *dissect.FrameView, ib *rocev2.Packet) {
	if ib.IETH() != 0 {
		r.invalidate, r.hasInvalidate = ib.InvRKey(), true
	}
	if m := v.Message; m != nil && r.kind == rocev2.KindSend && m.Length >= 4 {
		r.xid, r.hasXID = m.Header.XID, true
	}
}

// find is the request that has a PSN, nil if it is not remembered.
func (q *requests) find(psn uint32) *request {
	for r := range q.All() {
		if rocev2.PSNDiff(psn, r.first) >= 0 && rocev2.PSNDiff(psn, r.last) <= 0 {
			return r
		}
	}
	return nil
}

// read is the RDMA Read request whose responses begin with a PSN, as far as it was the
// newest that did so by then; nil if it is not remembered.
func (q *requests) read(psn uint32) *request {
	for r := range q.Backward() {
		if from := rocev2.PSNDiff(psn, r.first); from >= 0 {
			if from > 0 || r.kind != rocev2.KindReadRequest {
				return nil
			}
			return r
		}
	}
	return nil
}

// String says what it is, for a person.
func (r *request) String() string {
	switch r.kind {
	case rocev2.KindSend:
		if r.hasInvalidate {
			return "Send With Invalidate"
		}
		return "Send"
	case rocev2.KindWrite:
		return "RDMA Write"
	case rocev2.KindReadRequest:
		return "RDMA Read request"
	}
	return r.opcode.String()
}
