package qp

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/list"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A Tracker finds the connections between queue pairs: how packets find theirs,
// and what waits to be found.
type Tracker struct {
	*flow.Connections
	peek       func(data []byte) (id uint32, call, ok bool) // track.Options.Peek
	requesters map[key]*requester
	marks      map[key]mark        // what is left of ended connections
	evicted    map[key]*evicted    // what is left of connections that were closed to make room
	unpaired   map[route]*unpaired // halves whose other direction is not known
	setups     map[commKey]*qpConn
	last       [2]*requester        // those of the last frames, tried before the map
	waiting    list.List[requester] // halves whose connection is not known yet
	queued     int                  // cost of the packets that wait in them
	cm         rocev2.CM
	damaged    bool           // the frame that is taken is: front.Arrival.Damaged
	spare      [][]remembered // room for those of a half, for use again
}

// New returns a Tracker whose connections are among all. peek is that of
// track.Options, and may be nil.
func New(all *flow.Connections, peek func(data []byte) (id uint32, call, ok bool)) *Tracker {
	return &Tracker{
		Connections: all,
		peek:        peek,
		requesters:  make(map[key]*requester),
		marks:       make(map[key]mark),
		evicted:     make(map[key]*evicted),
		unpaired:    make(map[route]*unpaired),
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

// Frame takes the next frame that carries the InfiniBand transport, and says in v,
// which is zero before, what became of it; damaged is that of front.Arrival.
func (t *Tracker) Frame(f *flow.Frame, damaged bool, v *flow.Verdict) {
	t.damaged = damaged
	if f.IB.Faulty() && !snappedHeaders(&f.IB) {
		t.reserved(f, v)
		return
	}
	op := f.IB.OpCode
	service := op.Transport()
	switch service {
	case rocev2.TransportUD:
		if rocev2.IsCM(f.IB.DestQP, f.IB.QKey()) {
			*v = t.connectionManagement(f)
		}
		return
	case rocev2.TransportRC, rocev2.TransportUC, rocev2.TransportXRC:
	case rocev2.TransportCNP:
		service = rocev2.TransportRC
	default:
		return
	}
	h := t.findRequester(&f.Link, f.IB.DestQP, service)
	if op.Kind() == rocev2.KindCNP {
		if h != nil && h.conn != nil {
			t.Count(&h.conn.Conn, f)
			v.Conn, v.From = &h.conn.Conn, h.end
		}
		return
	}
	if h == nil {
		k := key{f.Link.Src(), f.Link.Dst(), f.IB.DestQP, service}
		if note := t.classifyUnknown(&k, f); note != flow.InOrder {
			v.Note = note
			return
		}
		if h = t.resume(&k, f); h == nil {
			h = t.newRequester(k, f.Link.Transport)
		}
	}
	if h.conn == nil {
		*v = t.wait(h, f)
		return
	}
	if h.peer == nil {
		t.joinWaiting(h, f)
	}
	t.packet(h, f, v)
}

// findRequester looks a half connection up, the last two first: traffic runs to and fro.
func (t *Tracker) findRequester(l *link.Packet, qpn uint32, service rocev2.Transport) *requester {
	src, dst := l.Src(), l.Dst()
	for i := range t.last {
		// Field by field: a key made only to be compared would cost more.
		if h := t.last[i]; h != nil && h.key.qpn == qpn && h.key.src == src && h.key.dst == dst && h.key.service == service {
			return h
		}
	}
	h := t.requesters[key{src, dst, qpn, service}]
	t.last[0], t.last[1] = h, t.last[0]
	return h
}

// packet processes a packet of a half whose connection is known, and says in v, which
// is zero before, what became of it.
func (t *Tracker) packet(h *requester, p *flow.Frame, v *flow.Verdict) {
	c := h.conn
	t.Count(&c.Conn, p)
	c.Coming = flow.InOrder
	v.Conn, v.From = &c.Conn, h.end
	h.spoke = true
	switch {
	case p.IB.Check == rocev2.ICRCWrong && h.goodICRC:
		// The receiver drops it, and so must we: it will be sent again.
		v.Note = flow.Corrupt
	case p.IB.OpCode.IsRequest():
		h.idents.addIdent(p.Link.IPID)
		v.Note, v.Missing = h.request(p)
		v.Waiting = v.Note == flow.Gap
	case h.peer != nil:
		h.idents.addIdent(p.Link.IPID)
		v.Note, v.Missing = h.peer.response(p)
	}
	if p.IB.Check == rocev2.ICRCRight {
		h.goodICRC = true
	}
	if h.lacks() || h.peer != nil && h.peer.lacks() {
		c.giveUp(false)
	}
	if h.search != nil {
		h.indexNext()
	}
	t.Sink.FrameDone(&c.Conn)
}

// newRequester makes a half connection that waits for its connection.
func (t *Tracker) newRequester(k key, transport link.Transport) *requester {
	h := t.emptyRequester(k)
	h.transport = transport
	t.requesters[k] = h
	t.last[0] = h
	t.unpair(h)
	t.waiting.Push(&h.search.waiting, h)
	return h
}

// Waiting appends when each half began to wait, by flow.Connections.Frames, the oldest first.
func (t *Tracker) Waiting(since []int64) []int64 {
	for h := range t.waiting.Values {
		since = append(since, h.queue[0].seq)
	}
	return since
}

// Flush gives up waiting for the other direction of whatever has waited since a frame or
// longer.
func (t *Tracker) Flush(since int64) {
	for t.waiting.N > 0 {
		h := t.waiting.Oldest()
		if h.queue[0].seq > since {
			return
		}
		t.At.Order = h.queue[0].seq
		t.release(h)
	}
}
