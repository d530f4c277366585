package flow

import "github.com/rdmacap/rdmacap/rocev2"

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
	pieces := [1]Piece{{Place: place(p, p.IB.PayloadStart(), len(payload))}}
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
		m.left, m.place = uint64(m.length), reth(p)
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

// place is that of n octets of a packet, at an offset from its BTH.
func place(p *Frame, offset, n int) Place { return Place{p.Ref(), p.Link.Start() + offset, n} }

// reth is the place of a packet's RETH.
func reth(p *Frame) Place { return place(p, p.IB.RETH(), rethSize) }

const rethSize = 16 // octets: VA, R_Key, DMALen (IBA 9.3.3)
