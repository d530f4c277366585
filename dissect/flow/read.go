package flow

import (
	"github.com/rdmacap/rdmacap/dissect/span"
	"github.com/rdmacap/rdmacap/rocev2"
)

type spanSet = span.Set

// maxReads is how many READ requests a half remembers: what a queue pair can
// have outstanding, and as many again for the repeated ones.
const maxReads = 512

// maxEarly is how many responses may come before their request.
const maxEarly = 16

// reads are the READ requests of a half, oldest first.
type reads struct {
	list []*Read
	free []*Read
	last int // index of the one that the last response was for
}

// add makes room for a new request.
func (q *reads) add() *Read {
	if len(q.list) >= maxReads {
		// The older half goes; a response to one of them comes no more.
		for _, r := range q.list[:maxReads/2] {
			q.recycle(r)
		}
		q.list = append(q.list[:0], q.list[maxReads/2:]...)
		q.last = 0
	}
	var r *Read
	if n := len(q.free); n > 0 {
		r, q.free = q.free[n-1], q.free[:n-1]
	} else {
		r = new(Read)
	}
	q.list = append(q.list, r)
	return r
}

func (q *reads) recycle(r *Read) {
	*r = Read{seen: r.seen[:0]}
	q.free = append(q.free, r)
}

func (q *reads) forget() {
	for _, r := range q.list {
		q.recycle(r)
	}
	q.list, q.last = q.list[:0], 0
}

// find returns the request that a response with that PSN answers, or nil.
func (q *reads) find(psn uint32) *Read {
	if q.last < len(q.list) && q.list[q.last].holds(psn) {
		return q.list[q.last]
	}
	for i := len(q.list) - 1; i >= 0; i-- {
		if q.list[i].holds(psn) {
			q.last = i
			return q.list[i]
		}
	}
	return nil
}

// holds reports whether a response with that PSN can be one to this request.
func (r *Read) holds(psn uint32) bool {
	d := rocev2.PSNDiff(psn, r.psn)
	n := r.count
	if n == 0 {
		n = packets(r.Length, 256) // the smallest path MTU there is
	}
	return d >= 0 && uint32(d) < n
}

// Whole reports whether every octet of the response was seen.
func (r *Read) Whole() bool { return r.received == uint64(r.Length) }

// packets is how many packets length octets take.
func packets(length uint32, mtu int) uint32 {
	return max(1, uint32((uint64(length)+uint64(mtu)-1)/uint64(mtu)))
}

// read takes a READ request that is in order: it takes as many PSNs as its
// response has packets.
func (h *half) read(p *packet) {
	r := h.reads.add()
	r.From, r.Handle, r.Offset, r.Length = h.end, p.ib.RKey(), p.ib.VA(), p.ib.DMALen()
	r.Ref, r.Time, r.psn = p.ref, p.time, p.ib.PSN
	if mtu := h.conn.PathMTU; mtu > 0 {
		r.count = packets(r.Length, mtu)
		h.next = rocev2.PSNAdd(r.psn, int(r.count))
	} else {
		h.next = rocev2.PSNAdd(r.psn, 1)
		h.slack = packets(r.Length, 256) - 1
	}
	h.gap.ghosts = 0
	h.t.sink.Read(h.conn, r)
	h.replayEarly()
}

// replayEarly goes through the responses that came before their request.
func (h *half) replayEarly() {
	if len(h.early) == 0 {
		return
	}
	early := h.early
	h.early = nil
	for _, k := range early {
		h.readResponse(&k.packet)
	}
}

// readResponse takes a packet of the response to one of the half's requests.
// Its PSN says where its octets belong, whatever came before it.
func (h *half) readResponse(p *packet) Note {
	if !h.known {
		return InOrder
	}
	r := h.reads.find(p.ib.PSN)
	if r == nil {
		if rocev2.PSNDiff(p.ib.PSN, h.next) >= 0 && rocev2.PSNDiff(p.ib.PSN, h.next) < farAway {
			h.gap.ghosts++
			if len(h.early) < maxEarly {
				h.early = append(h.early, keep(h, p))
			}
		}
		return InOrder
	}
	mtu, n := h.conn.PathMTU, uint64(p.ib.PayloadLength())
	h.counted(r)
	at := uint64(rocev2.PSNDiff(p.ib.PSN, r.psn)) * uint64(mtu)
	if pos := p.ib.OpCode.Position(); mtu == 0 && p.ib.PSN != r.psn && (pos == rocev2.PositionLast || pos == rocev2.PositionOnly) {
		at = uint64(r.Length) - min(n, uint64(r.Length))
	}
	if at+n > uint64(r.Length) {
		return InOrder // longer than was asked for: placed nowhere
	}
	sender := h.peer
	if n > 0 && r.seen.Covers(at, at+n) {
		note := sender.recent.repeated(p)
		h.repeat(note)
		return note
	}
	sender.recent.add(p)
	r.received += r.seen.Add(at, at+n)
	payload := p.ib.Payload()
	h.t.data = ReadData{At: at, Length: int(n), Octets: payload, Ref: p.ref, Time: p.time}
	h.t.sink.ReadData(h.conn, r, &h.t.data)
	return InOrder
}

// counted settles how many PSNs the last READ request took, once the path MTU
// is known.
func (h *half) counted(r *Read) {
	if r.count != 0 || h.conn.PathMTU == 0 {
		return
	}
	r.count = packets(r.Length, h.conn.PathMTU)
	if end := rocev2.PSNAdd(r.psn, int(r.count)); h.slack > 0 && rocev2.PSNDiff(end, h.next) > 0 {
		h.next = end
		h.slack = 0
	}
}
