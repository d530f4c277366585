package flow

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/rocev2"
)

// queuePairs are the connections between queue pairs: how their packets find them,
// and what waits to be found.
type queuePairs struct {
	*connections
	peek     func(octets []byte) (id uint32, call, ok bool) // Options.Peek
	halves   map[key]*half
	marks    map[key]mark        // what is left of ended connections
	evicted  map[key]*evicted    // what is left of connections that were closed to make room
	unpaired map[route]*unpaired // halves whose other direction is not known
	trusted  map[link.Addr]bool  // addresses that sent a frame with a right ICRC
	suspect  map[link.Addr]bool  // addresses of which one frame with a wrong ICRC was seen
	setups   map[commKey]*qpConn
	last     [2]*half   // those of the last frames, tried before the map
	waiting  list[half] // halves whose connection is not known yet
	queued   int        // cost of the packets that wait in them
	cm       rocev2.CM
}

func newQueuePairs(all *connections, peek func(octets []byte) (id uint32, call, ok bool)) *queuePairs {
	return &queuePairs{
		connections: all,
		peek:        peek,
		halves:      make(map[key]*half),
		marks:       make(map[key]mark),
		evicted:     make(map[key]*evicted),
		unpaired:    make(map[route]*unpaired),
		trusted:     make(map[link.Addr]bool),
		suspect:     make(map[link.Addr]bool),
		setups:      make(map[commKey]*qpConn),
	}
}

// key names a half connection: the direction of its frames and the queue pair
// they are for.
type key struct {
	src, dst link.Addr
	qpn      uint32
	service  rocev2.Transport
}

// maxTrusted is how many addresses are trusted, or suspected.
const maxTrusted = 1 << 16

// frame takes the next frame that carries the InfiniBand transport.
func (t *queuePairs) frame(f *Frame) Verdict {
	t.frames++
	t.closeExpired()
	if f.IB.Faulty() && !snappedHeaders(&f.IB) {
		return Verdict{}
	}
	op := f.IB.OpCode
	service := op.Transport()
	switch service {
	case rocev2.TransportUD:
		if rocev2.IsCM(f.IB.DestQP, f.IB.QKey()) {
			return t.connectionManagement(f)
		}
		return Verdict{}
	case rocev2.TransportRC, rocev2.TransportUC, rocev2.TransportXRC:
	case rocev2.TransportCNP:
		service = rocev2.TransportRC
	default:
		return Verdict{}
	}
	h := t.find(&f.Link, f.IB.DestQP, service)
	if op.Kind() == rocev2.KindCNP {
		if h == nil || h.conn == nil {
			return Verdict{}
		}
		t.count(&h.conn.Conn, f)
		return Verdict{Conn: &h.conn.Conn, From: h.end}
	}
	if h == nil {
		k := key{f.Link.Src(), f.Link.Dst(), f.IB.DestQP, service}
		if note := t.judgeUnknown(&k, f); note != InOrder {
			return Verdict{Note: note}
		}
		if h = t.resume(&k, f); h == nil {
			h = t.newHalf(k, f.Link.Transport)
		}
	}
	if h.conn == nil {
		return t.wait(h, f)
	}
	if h.peer == nil {
		t.joinWaiting(h, f)
	}
	return t.packet(h, f)
}

// find looks a half connection up, the last two first: traffic runs to and fro.
func (t *queuePairs) find(l *link.Packet, qpn uint32, service rocev2.Transport) *half {
	src, dst := l.Src(), l.Dst()
	for _, h := range t.last {
		// Field by field: a key made only to be compared would cost more.
		if h != nil && h.key.qpn == qpn && h.key.src == src && h.key.dst == dst && h.key.service == service {
			return h
		}
	}
	h := t.halves[key{src, dst, qpn, service}]
	t.last[0], t.last[1] = h, t.last[0]
	return h
}

// packet processes a packet of a half whose connection is known.
func (t *queuePairs) packet(h *half, p *Frame) Verdict {
	c := h.conn
	t.count(&c.Conn, p)
	v := Verdict{Conn: &c.Conn, From: h.end}
	switch {
	case p.IB.Check == rocev2.ICRCWrong && h.goodICRC:
		// The receiver drops it, and so must we: it will be sent again.
		v.Note = Corrupt
	case p.IB.OpCode.IsRequest():
		v.Note, v.Missing = h.request(p)
		v.Waiting = v.Note == Gap
	case h.peer != nil:
		v.Note, v.Missing = h.peer.response(p)
	}
	h.goodICRC = h.goodICRC || p.IB.Check == rocev2.ICRCRight
	c.settle(false)
	if h.search != nil {
		h.indexNext()
	}
	t.sink.Settled(&c.Conn)
	return v
}

// newHalf makes a half connection that waits for its connection.
func (t *queuePairs) newHalf(k key, transport link.Transport) *half {
	h := &half{shared: t.shared, key: k, transport: transport}
	t.halves[k] = h
	t.last[0] = h
	t.unpair(h)
	t.waiting.push(&h.search.waiting, h)
	return h
}

// flush gives up waiting for the other direction of whatever waits.
func (t *queuePairs) flush() {
	for t.waiting.n > 0 {
		t.release(t.waiting.oldest())
	}
}
