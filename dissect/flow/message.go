package flow

import "github.com/rdmacap/rdmacap/rocev2"

// maxSend is how many octets of a Send are kept: the largest receive buffer
// that RFC 8797 can announce. Longer ones are another protocol's.
const maxSend = 256 << 10

// maxAssembled bounds the buffers of all halves for Sends of several packets,
// in octets.
const maxAssembled = 64 << 20

// message is the Send or RDMA Write that a half is in the middle of.
type message struct {
	kind   rocev2.Kind // KindSend, KindWrite, or 0 for none
	send   Send
	octets []byte // the Send's, when it has several packets
	cut    string // why octets lack something from here on, "" if they do not
	handle uint32 // the Write's
	offset uint64
	left   uint64
	length uint32 // the Write's, as its RETH announces it
	place  Place  // of that
	point  Point  // of both
	one    [1]Ref
	frames []Ref
	pieces []Piece
}

// newMessage is where a message is put together that begins: whole says that
// nothing comes behind this, and that it need not be kept. A direction that has only
// such messages has none of its own.
func (e *shared) newMessage(own **message, whole bool) *message {
	if *own != nil && e.assembled > maxAssembled/2 {
		e.dropBuffer(*own)
	}
	switch {
	case whole:
		return &e.message
	case *own == nil:
		*own = new(message)
	}
	return *own
}

// send takes a packet of a Send that is in order.
func (h *half) send(p *Frame) {
	m, pos := h.message, p.IB.OpCode.Position()
	if pos == rocev2.PositionFirst || pos == rocev2.PositionOnly {
		h.broken("a new message begins in the middle of it")
		m = h.opens(p, rocev2.KindSend)
		m.send = Send{From: h.end, First: p.Time}
	} else if m == nil || m.kind != rocev2.KindSend {
		// Its beginning is not in the capture.
		h.broken("a Send goes on in the middle of it")
		return
	}
	payload := p.IB.Payload()
	s := &m.send
	m.point.Last = p.IB.PSN
	s.Point, s.Last = m.point, p.Time
	s.Length += p.IB.PayloadLength()
	pieces := [1]Piece{{Place: p.place(p.IB.PayloadStart(), len(payload))}}
	if pos == rocev2.PositionOnly {
		// The common case copies nothing.
		m.one[0] = p.Ref()
		s.Frames, s.Octets = m.one[:], payload
		m.locate(0, pieces[:])
		m.cut = snapped(p)
	} else {
		start := len(m.octets)
		if h.shared.assemble(m, payload, snapped(p), p.Ref()) {
			m.locate(start, pieces[:])
		}
		s.Frames, s.Octets = m.frames, m.octets
	}
	s.Pieces = m.pieces
	if pos != rocev2.PositionLast && pos != rocev2.PositionOnly {
		return
	}
	s.Whole, s.Missing = m.cut == "", m.cut
	if p.IB.IETH() != 0 {
		s.Invalidate, s.HasInvalidate = p.IB.InvRKey(), true
	}
	m.kind = 0
	h.shared.sink.Send(&h.conn.Conn, s)
}

// opens begins a message with its first packet.
func (h *half) opens(p *Frame, kind rocev2.Kind) *message {
	m := h.shared.newMessage(&h.message, p.IB.OpCode.Position() == rocev2.PositionOnly)
	m.begin(kind)
	m.point = Point{From: h.end, First: p.IB.PSN, Numbered: true}
	h.fillHad(&m.point)
	return m
}

func (m *message) begin(kind rocev2.Kind) {
	m.kind = kind
	m.octets, m.frames, m.pieces = m.octets[:0], m.frames[:0], m.pieces[:0]
	m.cut = ""
}

// locate notes where octets of the Send lie, given from a start in it on.
func (m *message) locate(start int, pieces []Piece) {
	for _, p := range pieces {
		p.Start += start
		if n := len(m.pieces); n > 0 && m.pieces[n-1].adjoins(&p) {
			m.pieces[n-1].Length += p.Length
		} else if p.Length > 0 && n < maxPieces {
			m.pieces = append(m.pieces, p)
		}
	}
}

// assemble adds a packet to a Send of several, and why what it lacks was not
// captured; behind a cut nothing is kept, since its place would be wrong. It
// reports whether the packet's octets were kept.
func (e *shared) assemble(m *message, payload []byte, cut string, frames ...Ref) (kept bool) {
	for _, r := range frames {
		if n := len(m.frames); n < maxSend/256 && (n == 0 || m.frames[n-1] != r) {
			m.frames = append(m.frames, r)
		}
	}
	need, had := len(m.octets)+len(payload), cap(m.octets)
	switch {
	case m.cut != "":
		return false
	case need > maxSend:
		m.cut = "it is larger than any receive buffer of RPC-over-RDMA"
		return false
	case need > had && e.assembled > maxAssembled:
		m.cut = "too many messages are on their way at once"
		return false
	}
	m.octets = append(m.octets, payload...)
	m.cut = cut
	e.assembled += cap(m.octets) - had
	return true
}

const cutBySnap = "the snap length cut its frames"

// snapped says that the capture has not all of a packet's extended headers and
// payload, "" if it has.
func snapped(p *Frame) string {
	if len(p.IB.Payload()) < p.IB.PayloadLength() || snappedHeaders(&p.IB) {
		return cutBySnap
	}
	return ""
}

// snappedHeaders reports whether the snap length cut a packet behind its BTH,
// which says by itself where the packet belongs, and before its payload.
func snappedHeaders(ib *rocev2.Packet) bool {
	n := len(ib.Octets)
	return n >= rocev2.BTHSize && n < ib.PayloadStart() && ib.Fault().Offset == n
}

// dropBuffer gives the buffer back that former Sends left, if there is one.
func (e *shared) dropBuffer(m *message) {
	if m == nil {
		return
	}
	e.assembled -= cap(m.octets)
	m.octets = nil
}

// write takes a packet of an RDMA Write that is in order.
func (h *half) write(p *Frame) {
	m, pos := h.message, p.IB.OpCode.Position()
	if pos == rocev2.PositionFirst || pos == rocev2.PositionOnly {
		h.broken("a new message begins in the middle of it")
		if p.IB.RETH() == 0 {
			h.conn.hole(Moment{p.Ref(), p.Time})
			return // nobody knows where it goes
		}
		m = h.opens(p, rocev2.KindWrite)
		m.handle, m.offset, m.length = p.IB.RKey(), p.IB.VA(), p.IB.DMALen()
		m.left, m.place = uint64(m.length), p.reth()
	} else if m == nil || m.kind != rocev2.KindWrite {
		h.broken("an RDMA Write goes on in the middle of it")
		return
	}
	n := p.IB.PayloadLength()
	if uint64(n) > m.left {
		n = int(m.left) // more than DMALen announces is placed nowhere
	}
	payload := p.IB.Payload()
	m.point.Last = p.IB.PSN
	w := Write{From: h.end, Point: m.point, Handle: m.handle, Offset: m.offset, Length: n,
		Octets: payload[:min(n, len(payload))], Frames: h.shared.only(p.Ref()), Time: p.Time,
		Place: m.place, Start: pos == rocev2.PositionFirst || pos == rocev2.PositionOnly, Announced: m.length}
	m.offset += uint64(n)
	m.left -= uint64(n)
	if pos == rocev2.PositionLast || pos == rocev2.PositionOnly {
		m.kind = 0
	}
	h.shared.write = w
	h.shared.sink.Write(&h.conn.Conn, &h.shared.write)
}

// broken gives up the message that the half is in the middle of, if any: a
// Send is handed on as far as it came.
func (h *half) broken(missing string) {
	m := h.message
	if m == nil {
		return
	}
	kind := m.kind
	m.kind = 0
	if kind != rocev2.KindSend {
		return
	}
	m.send.Whole, m.send.Missing = false, missing
	h.shared.sink.Send(&h.conn.Conn, &m.send)
}
