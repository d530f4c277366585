package qp

import (
	"math"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/rocev2"
)

// recent remembers the last packets of a half connection, to tell a frame that
// the capture has twice from one that was sent twice.
//
// What is retransmitted has another IPv4 identification if its sender counts, and so
// another ICRC. Where it has not, the time and the file tell: copies in one file
// are near to each other, and what one file has a second time, far from the first,
// was sent twice; then the second copy in another file is of that.
type recent struct {
	first []remembered // each as it came first, the last maxFirst; it grows to that
	n, m  uint32       // that were noted in first and in again
	again []remembered // those that were sent again; none in most connections
}

// maxFirst is how many packets are remembered as they came first.
const maxFirst = 64

// maxAgain is how many packets that were sent again are remembered: while another
// file has not come to them, for the clocks differ.
const maxAgain = 256

// remembered is one packet as it was sent once: its sighting is the last of its
// copies. There are up to 128 a connection, so its fields leave no gaps.
type remembered struct {
	time           int64
	files          uint64 // those that have it, a bit for each
	ident, outline uint32
	number         uint32 // PSN
	opcode         rocev2.OpCode
	whole          bool
	late           bool // it was retransmitted, and the first one was not seen
}

func rememberedOf(p *flow.Frame) (m remembered) {
	m.set(p)
	return m
}

// set makes m a packet as it was sent once.
func (m *remembered) set(p *flow.Frame) {
	s := order.SightingOf(p)
	m.time, m.ident, m.outline, m.whole = s.Time, s.Ident, s.Outline, s.Whole
	m.files = order.FileBit(int(p.File))
	m.number, m.opcode, m.late = p.IB.PSN, p.IB.OpCode, false
}

func sighted(s order.Sighting, file int, number uint32, op rocev2.OpCode) remembered {
	return remembered{
		time: s.Time, ident: s.Ident, outline: s.Outline, whole: s.Whole,
		files: order.FileBit(file), number: number, opcode: op,
	}
}

func (m *remembered) sighting() order.Sighting {
	return order.Sighting{Ident: m.ident, Outline: m.outline, Whole: m.whole, Time: m.time}
}

// addPacket remembers a packet that came first; late says that it was retransmitted even so.
func (r *recent) addPacket(p *flow.Frame, late bool) {
	switch {
	case late:
		m := rememberedOf(p)
		m.late = true
		r.sentAgain(m)
		return
	case len(r.first) < maxFirst:
		r.first = inRing(r.first, r.n, maxFirst, remembered{})
	}
	r.first[r.n%maxFirst].set(p)
	r.n++
}

func (r *recent) sentAgain(m remembered) {
	r.again = inRing(r.again, r.m, maxAgain, m)
	r.m++
}

// inRing puts v, of which n came before, into a ring that grows to a size.
func inRing[T any](ring []T, n, size uint32, v T) []T {
	if have := uint32(len(ring)); have < size {
		if len(ring) == cap(ring) {
			// At first for few: many connections say little.
			ring = slices.Grow(ring, int(min(max(4, have), size-have)))
		}
		return append(ring, v)
	}
	ring[n%size] = v
	return ring
}

// find looks for m among those of a list. Same says that it is a copy of one,
// which is noted; else known is one that has its number, or nil.
func find(list []remembered, m *remembered) (same bool, known *remembered) {
	var oldest *remembered
	for i := range list {
		e := &list[i]
		if e.number != m.number || e.opcode != m.opcode {
			continue
		}
		known = e
		if s := e.sighting(); s.Is(m.sighting()) && (e.files&m.files == 0 || s.Near(m.sighting())) && (oldest == nil || e.time < oldest.time) {
			oldest = e
		}
	}
	if oldest != nil {
		oldest.files |= m.files
		oldest.time = m.time
	}
	return oldest != nil, known
}

// repeated says how a packet whose PSN was seen before came to be seen again,
// and remembers it if it was retransmitted. Fresh says that its file has nothing from
// that PSN on so far, while another has: then it is no repetition unless the packet
// is known, and this is not it.
func (r *recent) repeated(p *flow.Frame, fresh bool) flow.Note {
	m := rememberedOf(p)
	same, known := find(r.first, &m)
	if same {
		return flow.Duplicate
	}
	same, again := find(r.again, &m)
	switch {
	case same:
		return flow.Duplicate
	case fresh && again != nil && again.late:
		r.addPacket(p, false)
		return flow.Reordered // it is the first one, which only this file has
	case fresh && known == nil:
		return flow.Duplicate // of one that is forgotten
	}
	r.sentAgain(m)
	return flow.Retransmission
}

// forget is called when the receiver asked for a repetition: what comes again in a
// file from here on was retransmitted, however soon.
func (r *recent) forget() {
	for i := range r.first {
		r.first[i].time = math.MinInt64 / 2
	}
	for i := range r.again {
		r.again[i].time = math.MinInt64 / 2
	}
}
