package trail

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Earlier remembers frames of connections, so that of a later one it can be reported which earlier ones it
// goes with: the one that it repeats, the one that it acknowledges, the request that it answers. The memory
// is the same for any number of connections and frames: of what is long ago it knows nothing. It is
// to receive all frames in their order.
type Earlier struct {
	slots []seen // nil until the first frame
}

// A Sighting is a frame, and when it was captured, in nanoseconds since 1970.
type Sighting struct {
	Ref  flow.Ref
	Time int64
}

// Known reports whether there is a frame.
func (s Sighting) Known() bool { return s.Ref.Number > 0 }

// Links are the earlier frames that a frame goes with, each as far as it is remembered.
type Links struct {
	// Before is the frame of the same connection that was captured before this one.
	Before Sighting
	// Original is the frame that came first with what this one carries again.
	Original Sighting
	// Acknowledged is the last frame that an ACK is for, or the one whose PSN a NAK names.
	Acknowledged Sighting
	// Request is the RDMA READ or atomic request that a response answers, as it was sent last.
	Request Sighting
}

// seen is a frame in the table.
type seen struct {
	conn  flow.Ref // the first frame of its connection, which tells connections apart
	place uint32   // PSN or sequence number
	part  part
	from  flow.End
	first Sighting // as it came first
	other Sighting // of a request, as it came last; of a response, its request
}

// A part says what a place is the place of.
type part uint8

const (
	nothing  part = iota
	newest        // the newest frame of the connection; its place is 0
	request       // a request, or the first byte of a segment of TCP
	response      // a response with data
	behind        // the byte after a segment of TCP
)

// slotBits is the logarithm of how many places are remembered: some megabytes, which take far more than
// what is in flight on a few connections.
const slotBits = 15

// Take takes a frame, and says which earlier ones it goes with.
func (e *Earlier) Take(v *dissect.FrameView) (l Links) {
	c := v.Connection
	if c == nil {
		return l
	}
	if e.slots == nil {
		e.slots = make([]seen, 1<<slotBits)
	}
	now := Sighting{v.Frame.Ref(), v.Frame.Time}
	if s, known := e.slot(c, 0, newest, 0); known {
		l.Before, s.first = s.first, now
	} else {
		s.first = now
	}
	if v.IB != nil {
		e.packet(&l, v, now)
	} else {
		e.segment(&l, v, now)
	}
	return l
}

// packet is Take for RoCE.
func (e *Earlier) packet(l *Links, v *dissect.FrameView, now Sighting) {
	p, c, from := v.IB, v.Connection, v.Verdict.From
	if p.DestQP <= managementQP {
		return
	}
	if !p.OpCode.IsResponse() {
		e.again(l, v, request, p.PSN, now).other = now
		return
	}
	asked, known := e.findSeen(c, from.Peer(), request, p.PSN)
	if acknowledges(p) {
		if known {
			l.Acknowledged = asked.first
		}
		return
	}
	var of Sighting
	if known {
		of = asked.other
	} else if before, ok := e.findSeen(c, from, response, rocev2.PSNAdd(p.PSN, -1)); ok && !begins(p) {
		of = before.other // the same, as responses come in the order of their PSNs
	}
	e.again(l, v, response, p.PSN, now).other = of
	l.Request = of
}

// begins reports whether a response is the first one to a request.
func begins(p *rocev2.Packet) bool {
	at := p.OpCode.Position()
	return at == rocev2.PositionFirst || at == rocev2.PositionOnly
}

// segment is Take for TCP.
func (e *Earlier) segment(l *Links, v *dissect.FrameView, now Sighting) {
	tcp, c, from := &v.Link.TCP, v.Connection, v.Verdict.From
	if tcp.Flags.Has(link.ACK) {
		if s, known := e.findSeen(c, from.Peer(), behind, tcp.Ack); known {
			l.Acknowledged = s.first
		}
	}
	if n := v.PayloadLength(); n > 0 {
		e.again(l, v, request, tcp.Seq, now)
		e.again(new(Links), v, behind, tcp.Seq+uint32(n), now)
	}
}

// again notes a frame at a place, and which one it repeats if it does.
func (e *Earlier) again(l *Links, v *dissect.FrameView, what part, place uint32, now Sighting) *seen {
	s, known := e.slot(v.Connection, v.Verdict.From, what, place)
	switch v.Verdict.Note {
	case flow.Retransmission, flow.Duplicate, flow.LostOnWire:
		if known {
			l.Original = s.first
			return s
		}
	}
	s.first = now
	return s
}

// findSeen is the frame at a place, if it is remembered.
func (e *Earlier) findSeen(c *dissect.Connection, from flow.End, what part, place uint32) (s *seen, known bool) {
	s = &e.slots[slotOf(c, from, what, place)]
	return s, s.is(c, from, what, place)
}

// slot is find, and where the frame is not remembered makes room for it.
func (e *Earlier) slot(c *dissect.Connection, from flow.End, what part, place uint32) (s *seen, known bool) {
	if s, known = e.findSeen(c, from, what, place); !known {
		*s = seen{conn: c.First, place: place, part: what, from: from}
	}
	return s, known
}

func (s *seen) is(c *dissect.Connection, from flow.End, what part, place uint32) bool {
	return s.place == place && s.part == what && s.from == from && s.conn == c.First
}

// slotOf spreads places evenly, so that what is new takes the room of what is old.
func slotOf(c *dissect.Connection, from flow.End, what part, place uint32) uint32 {
	const odd = 0x9e3779b1 // 2^32 by the golden ratio
	h := (place ^ uint32(c.First.Number)*odd) * odd
	h ^= (uint32(c.First.File)<<4 | uint32(what)<<1 | uint32(from)) * odd
	return h >> (32 - slotBits)
}
