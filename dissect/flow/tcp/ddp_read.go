package tcp

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/span"
)

// A tcpRead is an RDMA Read Request and what is known of its responses.
type tcpRead struct {
	flow.Read
	// sinkSTag and sinkTO are where the requester wants the data, and after the
	// position in the responder's stream up to which the requester had all when it
	// sent the request.
	sinkSTag      uint32
	sinkTO, after uint64
	seen          span.Set
}

// pendingReads are the RDMA Reads that one end asked for, oldest first. They
// are answered in that order (RFC 5040 section 5.5), with the STag and TO that
// each request names for the sink. A sink may be used again for the next
// request; what a response answers is known from counting.
type pendingReads struct {
	list []*tcpRead
	free []*tcpRead
	// next is the MSN of the request whose response comes next, or is under
	// way, if known: if no response can have been missed.
	next  uint32
	known bool
}

// MaxPending is how many requests are remembered: far more than the
// IRD of any adapter.
const MaxPending = 1024

// MaxEarlyResponses is how many responses may come before their request.
const MaxEarlyResponses = 16

func (q *pendingReads) addRead() *tcpRead {
	if len(q.list) >= MaxPending {
		q.drop(MaxPending / 2)
	}
	var r *tcpRead
	if n := len(q.free); n > 0 {
		r, q.free = q.free[n-1], q.free[:n-1]
	} else {
		r = new(tcpRead)
	}
	q.list = append(q.list, r)
	return r
}

// drop forgets the n oldest.
func (q *pendingReads) drop(n int) {
	for _, r := range q.list[:n] {
		*r = tcpRead{seen: r.seen[:0]}
		q.free = append(q.free, r)
	}
	q.list = slices.Delete(q.list, 0, n)
}

// A response is a segment of a response.
type response struct {
	at     uint64 // position in the stream
	stag   uint32
	to     uint64
	n      int // bytes on the wire
	last   bool
	msn    uint32 // of the request that it answers, if counted
	known  bool
	frames int64 // of the connection up to it
	data   flow.ReadData
}

// asks reports whether r has the sink of a segment, and its MSN or at least a
// time that allows it.
func (r *tcpRead) asks(e *response) bool {
	if e.known && r.Point.Last != e.msn || !e.known && int64(e.at-r.after) < 0 {
		return false
	}
	at := e.to - r.sinkTO
	return r.sinkSTag == e.stag && at <= uint64(r.Length) && uint64(e.n) <= uint64(r.Length)-at
}

// findRead is the index of the request that a segment answers, -1 if that is not
// there. Where responses may have been missed, it is the newest that can be
// meant: a requester does not ask for other bytes into the same sink before it
// has those. Of several that ask for the same it is the oldest, but not for sure.
func (q *pendingReads) findRead(e *response) (at int, sure bool) {
	at = -1
	for i, r := range q.list {
		if !r.asks(e) {
			continue
		}
		if sure = at < 0 || !q.list[at].same(r); sure {
			at = i
		}
	}
	return at, sure
}

// same reports whether two requests ask for the same bytes.
func (r *tcpRead) same(o *tcpRead) bool {
	return r.Handle == o.Handle && r.Offset-r.sinkTO == o.Offset-o.sinkTO
}

// has reports whether the request with that MSN is there.
func (q *pendingReads) has(msn uint32) bool {
	return slices.ContainsFunc(q.list, func(r *tcpRead) bool { return r.Point.Last == msn })
}

// readRequest takes an RDMA Read Request.
func (s *direction) readRequest(c *flow.Conn, d *segment) {
	q, ok := d.pdu.ReadRequest()
	if !ok {
		if d.cut != "" { // somebody asks for memory, and what for is not known
			c.Unread = true
			c.AddHole(s.end, s.showed)
		}
		return
	}
	r := s.reads.addRead()
	r.From, r.Handle, r.Offset, r.Length = s.end, q.SourceSTag, q.SourceTO, q.Size
	r.Point = flow.Point{From: s.end, First: d.pdu.MSN, Last: d.pdu.MSN, Numbered: true, Queue: 1}
	s.fillHad(c, &r.Point, d.after)
	r.sinkSTag, r.sinkTO = q.SinkSTag, q.SinkTO
	r.after, r.Place = d.after, d.place
	r.Ref, r.Frames, r.Time = d.refs[len(d.refs)-1], d.refs, d.last
	s.env.Sink.Read(c, &r.Read)
	s.replayEarly(c)
}

// ackedBy is the position in the peer's stream that the frame which brought an
// byte acknowledged.
func (s *direction) ackedBy(at uint64) uint64 {
	if i := s.runAt(at); i < len(s.origins) && s.peer.stream.Begun() {
		return s.peer.pos + uint64(int64(int32(s.origins[i].ack-s.peer.stream.Next())))
	}
	return s.peer.pos
}

// readResponse takes a segment of the response to one of the peer's requests.
func (s *direction) readResponse(c *flow.Conn, d *segment) {
	p, q := d.pdu, &s.peer.reads
	e := response{
		at: d.at, stag: p.STag, to: p.TO, n: p.PayloadLength(), last: p.Last, msn: q.next, known: q.known, frames: s.tc.frames,
		data: flow.ReadData{Length: d.length(), Bytes: p.Payload(), Frames: d.refs, Time: d.last},
	}
	i, sure := q.findRead(&e)
	if i < 0 && e.known && q.has(e.msn) {
		// The responder answers in another order, if those are answers.
		q.known, e.known = false, false
		i, sure = q.findRead(&e)
	}
	if i < 0 {
		s.peer.keepEarly(&e)
	} else {
		q.next, q.known = q.list[i].Point.Last, sure
		s.peer.answered(c, i, &e)
	}
	if p.Last {
		q.next++
	}
}

// answered takes bytes that answer one of the side's requests, by its index.
func (s *direction) answered(c *flow.Conn, i int, e *response) {
	r := s.reads.list[i]
	e.data.At = e.to - r.sinkTO
	r.Received += r.seen.Add(e.data.At, e.data.At+uint64(e.data.Length))
	s.env.Data = e.data
	s.env.Sink.ReadData(c, &r.Read, &s.env.Data)
	if e.last {
		s.reads.drop(i + 1) // and those before it, which were answered
	}
}

// keepEarly keeps a response that nobody asked for so far: the capture may have
// the two directions out of order, but not by much.
func (s *direction) keepEarly(e *response) {
	s.forgetEarly()
	if len(s.early) < MaxEarlyResponses && s.env.Kept <= s.env.Limits.Kept {
		kept := *e
		kept.data.Bytes, kept.data.Frames = slices.Clone(e.data.Bytes), slices.Clone(e.data.Frames)
		s.early = append(s.early, kept)
	}
	s.account()
}

// forgetEarly forgets the responses whose request was not in time.
func (s *direction) forgetEarly() {
	n := 0
	for n < len(s.early) && s.tc.frames-s.early[n].frames > tcpWindow {
		n++
	}
	s.early = slices.Delete(s.early, 0, n)
}

// replayEarly goes through the responses that came before their request.
func (s *direction) replayEarly(c *flow.Conn) {
	s.forgetEarly()
	if len(s.early) == 0 {
		return
	}
	early := s.early
	s.early = nil
	for i := range early {
		if at, _ := s.reads.findRead(&early[i]); at >= 0 {
			s.answered(c, at, &early[i])
		} else {
			s.early = append(s.early, early[i])
		}
	}
}
