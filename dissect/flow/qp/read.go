package qp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/dissect/span"
	"github.com/rdmacap/rdmacap/rocev2"
)

// What a half remembers of READ requests.
const (
	// MaxReads is how many requests: twice what a queue pair can have
	// outstanding, as many again for the repeated ones.
	MaxReads = 256
	// keptReads are the answered ones among them, for responses that come again.
	keptReads = 64
	// maxEarly is how many responses may come before their request.
	maxEarly = 16
	// unsized is the slack after a READ request whose RETH the snap length cut:
	// however far the next request is, nothing is known to be missing.
	unsized = maxPSNJump
)

// A qpRead is a READ request and what is known of its responses. Most of those that are
// kept were answered.
type qpRead struct {
	flow.Read
	count uint32 // PSNs that the responses take, 0 while the path MTU is unknown
	empty bool   // a response without bytes was seen
	*underway
}

// underway is what is known of the responses to a READ request until all were seen; then
// the request has none.
type underway struct {
	again  bool          // it was asked for again, all or the rest of it
	rest   int32         // the response that the rest began with, by index; 0 if it was all
	before int32         // how many of them the responder had sent when the request was first seen
	gapAt  order.Instant // when a response first came without the one before it
	gapID  uint16        // the IPv4 identification of that
	gapPSN uint32        // and its PSN
	lackAt int64         // frame count when it showed that responses are missing, 0 if it did not
	lackBy flow.Moment   // what showed it
	seen   span.Set
	next   *underway // of those that are spare
}

// reads are the READ requests of a half, oldest first.
type reads struct {
	// lacking counts those of whose responses something is missing so far, lookAt
	// is the frame count of the connection at which they are looked at again.
	lacking int32
	last    int32 // index of the one that the last response was for
	lookAt  int64
	list    []*qpRead
	free    []*qpRead
	spare   *underway // for use again
}

// addRead makes room for a new request.
func (q *reads) addRead() *qpRead {
	if n := len(q.list); n >= 2*keptReads {
		q.drop(n-keptReads, (*qpRead).Whole)
		if n := len(q.list); n >= MaxReads {
			// A response to one of the older half comes no more.
			q.drop(n/2, func(*qpRead) bool { return true })
		}
	}
	var r *qpRead
	if n := len(q.free); n > 0 {
		r, q.free = q.free[n-1], q.free[:n-1]
	} else {
		r = new(qpRead)
	}
	q.beginRead(r)
	q.list = append(q.list, r)
	return r
}

// beginRead makes room for what is known of the responses.
func (q *reads) beginRead(r *qpRead) {
	if r.underway = q.spare; r.underway == nil {
		r.underway = new(underway)
	}
	q.spare, r.next = r.next, nil
}

// endRead notes that nothing more is known of the responses than that all were seen, or that
// the request is forgotten.
func (q *reads) endRead(r *qpRead) {
	q.found(r)
	if u := r.underway; u != nil {
		*u = underway{seen: u.seen[:0], next: q.spare}
		q.spare, r.underway = u, nil
	}
}

// drop takes those of the first n out that are as given.
func (q *reads) drop(n int, out func(*qpRead) bool) {
	kept := q.list[:0]
	for i, r := range q.list {
		if i < n && out(r) {
			q.recycle(r)
		} else {
			kept = append(kept, r)
		}
	}
	clear(q.list[len(kept):])
	q.list, q.last = kept, 0
}

func (q *reads) recycle(r *qpRead) {
	q.endRead(r)
	*r = qpRead{}
	q.free = append(q.free, r)
}

func (q *reads) forget() { q.drop(len(q.list), func(*qpRead) bool { return true }) }

// findRead returns the request that a response with that PSN answers, or nil. While
// the path MTU is unknown, it is the newest that can be meant.
func (q *reads) findRead(psn uint32) *qpRead {
	if int(q.last) < len(q.list) {
		if r := q.list[q.last]; r.count != 0 && r.holds(psn) {
			return r
		}
	}
	for i := len(q.list) - 1; i >= 0; i-- {
		if q.list[i].holds(psn) {
			q.last = int32(i)
			return q.list[i]
		}
	}
	return nil
}

// holds reports whether a response with that PSN can be one to this request.
func (r *qpRead) holds(psn uint32) bool {
	d := rocev2.PSNDiff(psn, r.Point.First)
	n := r.count
	if n == 0 {
		n = packets(r.Length, 256) // the smallest path MTU there is
	}
	return d >= 0 && uint32(d) < n
}

// read takes a READ request that is in order: it takes as many PSNs as its
// response has packets.
func (h *requester) read(p *flow.Frame) {
	if p.IB.RETH() == 0 {
		h.conn.Unread = true
		h.conn.AddHole(h.end, flow.Moment{Ref: p.Ref(), Time: p.Time})
		h.slack = unsized
		return
	}
	if h.reads.lacking > 0 && len(h.reads.list) >= MaxReads {
		h.giveUpReads(true) // they may be forgotten now
	}
	r := h.reads.addRead()
	r.before = h.before
	r.From, r.Handle, r.Offset, r.Length = h.end, p.IB.RKey(), p.IB.VA(), p.IB.DMALen()
	r.Ref, r.Frames, r.Time = p.Ref(), h.shared.Only(p.Ref()), p.Time
	r.Point = flow.Point{From: h.end, First: p.IB.PSN, Last: p.IB.PSN, Numbered: true}
	h.fillHad(&r.Point)
	r.Place = reth(p)
	if mtu := h.conn.PathMTU; mtu > 0 {
		r.count = packets(r.Length, mtu)
		h.next = rocev2.PSNAdd(r.Point.First, int(r.count))
		r.Point.Last = rocev2.PSNAdd(h.next, -1)
	} else {
		h.next = rocev2.PSNAdd(r.Point.First, 1)
		h.slack = packets(r.Length, 256) - 1
	}
	h.shared.Sink.Read(&h.conn.Conn, &r.Read)
	h.replayEarly()
	if h.anyAck {
		h.lack(h.acked)
	}
}

// replayEarly goes through the responses that came before their request.
func (h *requester) replayEarly() {
	if len(h.early) == 0 {
		return
	}
	early := h.early
	h.early = nil
	for _, k := range early {
		h.shared.Kept -= k.cost()
		h.replaying = true
		h.readResponse(&k.Frame)
		h.replaying = false
	}
}

// forgetEarly gives up the requests of responses that came before them.
func (h *requester) forgetEarly() {
	for _, k := range h.early {
		h.shared.Kept -= k.cost()
	}
	h.early = nil
}

// readResponse takes a packet of the response to one of the half's requests.
// Its PSN says where its bytes belong, whatever came before it.
func (h *requester) readResponse(p *flow.Frame) (note flow.Note, missing int) {
	if !h.known {
		return flow.InOrder, 0
	}
	r := h.reads.findRead(p.IB.PSN)
	if r == nil {
		h.earlyResponse(p)
		return flow.InOrder, 0
	}
	at, n, ok := r.place(&p.IB, h.conn.PathMTU)
	if ok && at+n > uint64(r.Length) {
		h.tooLong(r, p, at)
		return flow.InOrder, 0
	}
	if !ok {
		return flow.InOrder, 0
	}
	sender := h.peer
	fresh := sender.responses.PSN(int(p.File), p.IB.PSN)
	answered := r.underway == nil
	if n > 0 && (answered || r.seen.Covers(at, at+n)) || n == 0 && r.empty {
		note = sender.recent.repeated(p, fresh)
		h.repeat(note)
		return note, 0
	}
	if answered { // and nothing more was to come, though this brings nothing
		h.reads.beginRead(r)
		r.seen.Add(0, uint64(r.Length))
	}
	note, missing = h.classifyResponse(r, p, at, fresh)
	sender.recent.addPacket(p, note == flow.LostOnWire || note == flow.Retransmission)
	r.Received += r.seen.Add(at, at+n)
	r.empty = n == 0
	if r.done() {
		h.reads.endRead(r)
	}
	h.conn.comes(note)
	h.shared.Data = flow.ReadData{At: at, Length: int(n), Bytes: p.IB.Payload(), Frames: h.shared.Only(p.Ref()), Time: p.Time}
	h.shared.Sink.ReadData(&h.conn.Conn, &r.Read, &h.shared.Data)
	return note, missing
}

// place is where a response belongs in the data of its request; not ok if that
// is unknown. It may be more than was asked for.
func (r *qpRead) place(ib *rocev2.Packet, mtu int) (at, n uint64, ok bool) {
	index := uint64(rocev2.PSNDiff(ib.PSN, r.Point.First))
	n = uint64(ib.PayloadLength())
	at = index * uint64(mtu)
	full := false
	switch ib.OpCode.Position() {
	case rocev2.PositionFirst, rocev2.PositionMiddle:
		full = true
	}
	switch {
	case mtu == 0:
		ok = index == 0 && !full
	case full:
		ok = n == uint64(mtu)
	default:
		ok = n <= uint64(mtu)
	}
	return at, n, ok
}

// earlyResponse keeps a response whose request was not seen yet.
func (h *requester) earlyResponse(p *flow.Frame) {
	d := rocev2.PSNDiff(p.IB.PSN, h.next)
	if d < 0 || d >= maxPSNJump || h.slack == unsized {
		return
	}
	switch p.IB.OpCode.Position() {
	case rocev2.PositionMiddle, rocev2.PositionLast:
		h.responsePSNs.addPSN(p.IB.PSN)
	}
	if len(h.early) < maxEarly && h.shared.Kept <= h.shared.Limits.Kept {
		k := keep(h, p)
		h.early = append(h.early, k)
		h.shared.Kept += k.cost()
	}
}
