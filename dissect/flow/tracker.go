package flow

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Options are what a Tracker can be told.
type Options struct {
	// Peek reads from the front of a Send what ties a reply to its call, if it
	// is such a message: an identifier and which of the two it is. It helps to
	// pair the two directions of a connection whose set-up was not captured.
	Peek func(octets []byte) (id uint32, call, ok bool)
	// IWARPPort is a TCP port that carries iWARP beside 20049; 0 for none.
	IWARPPort uint16
	// Units asks for the MPA frames and FPDUs of each frame.
	Units bool
}

// A Tracker finds the connections in a stream of frames. It keeps what is in
// flight, and nothing of connections that ended but a short mark.
type Tracker struct {
	sink       Sink
	opts       Options
	halves     map[key]*half
	marks      map[key]mark        // what is left of ended connections
	evicted    map[key]*evicted    // what is left of connections that were closed to make room
	unpaired   map[route]*unpaired // halves whose other direction is not known
	trusted    map[link.Addr]bool  // addresses that sent a frame with a right ICRC
	suspect    map[link.Addr]bool  // addresses of which one frame with a wrong ICRC was seen
	conns      list[Conn]          // open: see evict for their order
	setups     map[commKey]*Conn
	last       [2]*half   // those of the last frames, tried before the map
	waiting    list[half] // halves whose connection is not known yet
	queued     int        // cost of the packets that wait in them
	assembled  int        // octets of the buffers for Sends of several packets
	kept       int        // cost of the packets that wait for others of their connection
	closing    []*Conn    // disconnected, kept for late frames
	nextID     int
	frames     int64 // that may be of RDMA
	segments   int64 // of TCP
	tcp        map[tcpKey]*tcpConn
	lastTCP    *tcpConn        // that of the last segment, tried before the map
	candidates []*tcpConn      // those among them that may turn out to be iWARP
	others     int             // those that are not, about
	tcpMarks   map[tcpKey]bool // ended connections
	units      units
	cm         rocev2.CM
	message    message // one of a single packet
	write      Write
	data       ReadData
	one        [1]Ref // see only
}

// key names a half connection: the direction of its frames and the queue pair
// they are for.
type key struct {
	src, dst link.Addr
	qpn      uint32
	service  rocev2.Transport
}

// Limits on what a Tracker keeps, whatever it is fed.
const (
	// maxConns is how many connections are open. With 16 kB for each, which is what
	// check holds, they take 512 MiB. Those unused for longest go first.
	maxConns   = 1 << 15
	maxMarks   = 1 << 16 // half connections of ended connections that are still recognised
	maxTrusted = 1 << 16 // addresses
	maxKept    = 32 << 20
)

// NewTracker returns a Tracker that tells sink what it finds.
func NewTracker(sink Sink, opts Options) *Tracker {
	return &Tracker{
		sink:     sink,
		opts:     opts,
		halves:   make(map[key]*half),
		marks:    make(map[key]mark),
		evicted:  make(map[key]*evicted),
		unpaired: make(map[route]*unpaired),
		trusted:  make(map[link.Addr]bool),
		suspect:  make(map[link.Addr]bool),
		setups:   make(map[commKey]*Conn),
		tcp:      make(map[tcpKey]*tcpConn),
		tcpMarks: make(map[tcpKey]bool),
	}
}

// Frame takes the next frame, decoded, which carries the InfiniBand transport or
// TCP. Nothing of it is kept by reference beyond the call.
func (t *Tracker) Frame(f *Frame) Verdict {
	if !f.HasIB() {
		return t.segment(f)
	}
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
		h.conn.count(t, f)
		return Verdict{Conn: h.conn, From: h.end}
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
func (t *Tracker) find(l *link.Packet, qpn uint32, service rocev2.Transport) *half {
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
func (t *Tracker) packet(h *half, p *Frame) Verdict {
	c := h.conn
	c.count(t, p)
	v := Verdict{Conn: c, From: h.end}
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
	t.sink.Settled(c)
	return v
}

// only is the list of one frame, valid until it is called again.
func (t *Tracker) only(r Ref) []Ref {
	t.one[0] = r
	return t.one[:]
}

// newHalf makes a half connection that waits for its connection.
func (t *Tracker) newHalf(k key, transport link.Transport) *half {
	h := &half{t: t, key: k, transport: transport}
	t.halves[k] = h
	t.last[0] = h
	t.unpair(h)
	t.waiting.push(&h.search.waiting, h)
	return h
}

// Flush ends the capture: everything that still waits is settled with what is
// there, and every connection closed in the order of its number.
func (t *Tracker) Flush() {
	for t.waiting.n > 0 {
		t.release(t.waiting.oldest())
	}
	for _, tc := range slices.Clone(t.candidates) {
		tc.flush()
	}
	for _, c := range slices.SortedFunc(t.conns.values, byNumber) {
		t.close(c)
	}
	t.closing = t.closing[:0]
}

func byNumber(a, b *Conn) int { return cmp.Compare(a.ID, b.ID) }

func (c *Conn) count(t *Tracker, f *Frame) {
	c.Frames++
	c.Octets += int64(f.Length)
	c.seen(f.Ref(), f.Time)
	c.lastSeen = t.frames
}

// seen widens the span of frames that the connection covers. Frames that
// waited come after later ones of the other direction.
func (c *Conn) seen(ref Ref, time int64) {
	c.Mixed = c.Mixed || ref.File < c.file
	c.file = max(c.file, ref.File)
	if c.First.Number == 0 || time < c.FirstTime {
		c.First, c.FirstTime = ref, time
	}
	if c.Last.Number == 0 || time >= c.LastTime {
		c.Last, c.LastTime = ref, time
	}
}
