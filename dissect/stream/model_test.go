package stream_test

import (
	"math"

	"github.com/rdmacap/rdmacap/dissect/stream"
)

// A model says what a Stream must do, one byte at a time: slow, and of
// positions that never wrap. The first byte is at 0.
type model struct {
	begun, syn, bare, fin, ended bool
	first, next, front, acked    int64
	finAt, doubt                 int64
	cells                        map[int64]cell // what waits
	log                          []token
}

// A cell is one byte that waits, or that the snap length cut off.
type cell struct {
	byte byte
	cut  bool
	from int
}

// A token is one byte handed on, n bytes of a void, or the end.
type token struct {
	kind byte // 'o', 's' snap, 'v' void, 'e' end
	byte byte
	n    int64
	from int
}

// record adds a token to a list; voids that follow one another are one.
func record(log []token, k token) []token {
	if n := len(log); n > 0 && k.kind == log[n-1].kind && k.from == log[n-1].from && (k.kind == 's' || k.kind == 'v') {
		log[n-1].n += k.n
		return log
	}
	return append(log, k)
}

// A bit is a segment at a position.
type bit struct {
	at       int64 // of its first byte, or where that would be
	bytes    []byte
	length   int
	syn, fin bool
	from     int
}

func (m *model) begin(g *bit) {
	m.begun, m.bare = true, !g.syn && g.length == 0
	m.cells = make(map[int64]cell)
	m.doubt = -1 << 40
	m.first, m.next, m.front, m.acked = g.at, g.at, g.at, g.at
}

func (m *model) last() int64 {
	last := m.next
	for at := range m.cells {
		last = max(last, at+1)
	}
	return last
}

func (m *model) add(g *bit) (p stream.Place, missing int64) {
	const reach = 1 << 30
	if !m.begun {
		m.begin(g)
	}
	far := g.at-m.next > reach || m.next-g.at > reach
	if g.syn && (far || g.at != m.first) {
		return stream.Anew, 0
	}
	if far {
		return stream.Far, 0
	}
	again := g.syn && m.syn || g.fin && m.fin
	m.syn = m.syn || g.syn
	length := int64(g.length)
	if length > 0 || g.fin || g.syn {
		if !m.fin && g.at == m.next+1 {
			if m.bare {
				m.first, m.next = g.at, g.at
			} else if m.doubt == m.next {
				m.void(g.at)
			}
		}
		m.bare = false
	}
	end := g.at + length
	front, newFIN := m.front, false
	if g.fin && !m.fin {
		if end >= m.last() {
			m.fin, m.finAt, newFIN, again = true, end, true, false
			m.front, m.acked = end, min(m.acked, end)
		} else {
			again = true
		}
	}
	if length == 0 {
		return m.empty(g, again)
	}
	if m.fin && g.at >= m.finAt {
		return stream.Far, 0
	}
	before, news := m.next, int64(math.MaxInt64)
	if g.at > m.next {
		missing = m.missing(g.at)
	}
	for i := range length {
		at := g.at + i
		if at < m.next || m.fin && at >= m.finAt {
			continue
		}
		have, ok := m.cells[at]
		c := cell{cut: int(i) >= len(g.bytes), from: g.from}
		if !c.cut {
			c.byte = g.bytes[i]
		}
		if !ok || have.cut && !c.cut {
			m.cells[at] = c
			news = min(news, at)
		}
		m.front = max(m.front, at+1)
	}
	m.drain()
	switch {
	case news == math.MaxInt64 && !newFIN:
		p = stream.Old
	case news == math.MaxInt64 && missing == 0, g.at <= before && front <= before:
		p = stream.Next
	case news < front:
		p = stream.Filled
	default:
		p = stream.Early
	}
	return p, missing
}

func (m *model) empty(g *bit, again bool) (stream.Place, int64) {
	switch {
	case m.ended && g.at == m.finAt+1:
		return stream.Empty, 0
	case m.fin && g.at > m.finAt+1:
		return stream.Far, 0
	case again, m.ended, g.at < m.next:
		return stream.Old, 0
	case g.at == m.next:
		m.drain()
		return stream.Empty, 0
	}
	at := g.at
	if m.fin {
		at = min(at, m.finAt)
	}
	m.front = max(m.front, at)
	if !m.fin && at == m.next+1 && m.last() == m.next && m.front == at && m.acked <= at {
		return stream.Empty, 0
	}
	return stream.Early, m.missing(at)
}

// missing counts the bytes before a position that are not there.
func (m *model) missing(at int64) int64 {
	n := at - m.next
	for have := range m.cells {
		if have < at {
			n--
		}
	}
	return n
}

func (m *model) drain() {
	for {
		c, ok := m.cells[m.next]
		if !ok {
			break
		}
		delete(m.cells, m.next)
		m.next++
		if c.cut {
			m.log = record(m.log, token{kind: 's', n: 1, from: c.from})
		} else {
			m.log = record(m.log, token{kind: 'o', byte: c.byte, from: c.from})
		}
	}
	if m.fin && !m.ended && m.next == m.finAt {
		m.ended = true
		m.log = record(m.log, token{kind: 'e'})
	}
}

func (m *model) ack(at int64) {
	if !m.begun || at-m.next > 1<<30 {
		return
	}
	if m.fin {
		at = min(at, m.finAt)
	}
	m.acked = max(m.acked, at)
}

// hole is where the first hole ends, and whether a number was left out as it may
// be that of a FIN.
func (m *model) hole() (end int64, doubt bool) {
	if !m.begun {
		return m.next, false
	}
	end = math.MaxInt64
	for at := range m.cells {
		end = min(end, at)
	}
	if m.fin {
		end = min(end, m.finAt)
	}
	if end < math.MaxInt64 {
		return end, false
	}
	if m.acked > m.next && m.front > m.acked {
		return m.acked, false
	}
	if end = max(m.acked, m.front) - 1; end <= m.next {
		return m.next, false
	}
	return end, true
}

func (m *model) skip() int64 {
	end, doubt := m.hole()
	n := end - m.next
	if n == 0 {
		return 0
	}
	if doubt {
		m.doubt = end
	}
	m.void(end)
	return n
}

func (m *model) void(end int64) {
	m.bare = false
	m.log = record(m.log, token{kind: 'v', n: end - m.next})
	m.next = end
	m.front = max(m.front, end)
	m.drain()
}
