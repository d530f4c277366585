package qp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// send takes a packet of a Send that is in order.
func (h *requester) send(p *flow.Frame) {
	m, pos := h.message, p.IB.OpCode.Position()
	if pos == rocev2.PositionFirst || pos == rocev2.PositionOnly {
		h.broken("a new message begins in the middle of it")
		m = h.opens(p, rocev2.KindSend)
		m.Send = flow.Send{From: h.end, First: p.Time}
	} else if m == nil || m.Kind != rocev2.KindSend {
		// Its beginning is not in the capture.
		h.broken("a Send continues in the middle of it")
		return
	}
	payload := p.IB.Payload()
	s := &m.Send
	m.Point.Last = p.IB.PSN
	s.Point, s.Last = m.Point, p.Time
	s.Length += p.IB.PayloadLength()
	pieces := [1]flow.Piece{{Place: place(p, p.IB.PayloadStart(), len(payload))}}
	if pos == rocev2.PositionOnly {
		// The common case copies nothing.
		m.One[0] = p.Ref()
		s.Frames, s.Bytes = m.One[:], payload
		m.Locate(0, pieces[:])
		m.Cut = snapped(p)
	} else {
		start := len(m.Bytes)
		if h.shared.Assemble(m, payload, snapped(p), p.Ref()) {
			m.Locate(start, pieces[:])
		}
		s.Frames, s.Bytes = m.Frames, m.Bytes
	}
	s.Pieces = m.Pieces
	if pos != rocev2.PositionLast && pos != rocev2.PositionOnly {
		return
	}
	s.Whole, s.Missing = m.Cut == "", m.Cut
	if p.IB.IETH() != 0 {
		s.Invalidate, s.HasInvalidate = p.IB.InvRKey(), true
	}
	m.Kind = 0
	h.shared.Sink.Send(&h.conn.Conn, s)
}

// opens begins a message with its first packet.
func (h *requester) opens(p *flow.Frame, kind rocev2.Kind) *flow.Message {
	m := h.shared.NewMessage(&h.message, p.IB.OpCode.Position() == rocev2.PositionOnly)
	m.Begin(kind)
	m.Point = flow.Point{From: h.end, First: p.IB.PSN, Numbered: true}
	h.fillHad(&m.Point)
	return m
}

// snapped says that the capture has not all of a packet's extended headers and
// payload, "" if it has.
func snapped(p *flow.Frame) string {
	if len(p.IB.Payload()) < p.IB.PayloadLength() || snappedHeaders(&p.IB) {
		return flow.CutBySnap
	}
	return ""
}

// snappedHeaders reports whether the snap length cut a packet after its BTH,
// which says by itself where the packet belongs, and before its payload.
func snappedHeaders(ib *rocev2.Packet) bool {
	n := len(ib.Bytes)
	return n >= rocev2.BTHSize && n < ib.PayloadStart() && ib.Fault().Offset == n
}

// write takes a packet of an RDMA Write that is in order.
func (h *requester) write(p *flow.Frame) {
	m, pos := h.message, p.IB.OpCode.Position()
	if pos == rocev2.PositionFirst || pos == rocev2.PositionOnly {
		h.broken("a new message begins in the middle of it")
		if p.IB.RETH() == 0 {
			h.conn.AddHole(h.end, flow.Moment{Ref: p.Ref(), Time: p.Time})
			return // nobody knows where it goes
		}
		m = h.opens(p, rocev2.KindWrite)
		m.Handle, m.Offset, m.Length = p.IB.RKey(), p.IB.VA(), p.IB.DMALen()
		m.Left, m.Place = uint64(m.Length), reth(p)
	} else if m == nil || m.Kind != rocev2.KindWrite {
		h.broken("an RDMA Write continues in the middle of it")
		return
	}
	n := p.IB.PayloadLength()
	if uint64(n) > m.Left {
		n = int(m.Left) // more than DMALen announces is placed nowhere
	}
	payload := p.IB.Payload()
	m.Point.Last = p.IB.PSN
	// Field by field, or it would be made first and then copied.
	w := &h.shared.Write
	w.From, w.Point, w.Handle, w.Offset, w.Length = h.end, m.Point, m.Handle, m.Offset, n
	w.Bytes, w.Frames, w.Time = payload[:min(n, len(payload))], h.shared.Only(p.Ref()), p.Time
	w.Place, w.Announced = m.Place, m.Length
	w.Start = pos == rocev2.PositionFirst || pos == rocev2.PositionOnly
	m.Offset += uint64(n)
	m.Left -= uint64(n)
	if pos == rocev2.PositionLast || pos == rocev2.PositionOnly {
		m.Kind = 0
	}
	h.shared.Sink.Write(&h.conn.Conn, w)
}

// broken gives up the message that the half is in the middle of, if any: a
// Send is handed on as far as it came.
func (h *requester) broken(missing string) {
	m := h.message
	if m == nil {
		return
	}
	kind := m.Kind
	m.Kind = 0
	if kind != rocev2.KindSend {
		return
	}
	m.Send.Whole, m.Send.Missing = false, missing
	h.shared.Sink.Send(&h.conn.Conn, &m.Send)
}

// place is that of n bytes of a packet, at an offset from its BTH.
func place(p *flow.Frame, offset, n int) flow.Place {
	return flow.Place{Ref: p.Ref(), Offset: p.Link.Start() + offset, Length: n}
}

// reth is the place of a packet's RETH.
func reth(p *flow.Frame) flow.Place { return place(p, p.IB.RETH(), rethSize) }

const rethSize = 16 // bytes: VA, R_Key, DMALen (IBA 9.3.3)
