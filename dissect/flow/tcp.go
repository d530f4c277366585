package flow

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Over TCP both directions of a connection name both of its ends, so nothing
// has to be paired. But nothing says that a TCP connection carries iWARP, either:
// it is a candidate until an MPA Request or Reply was seen, or, where the capture
// began later, FPDUs that follow one another.
//
//	segment ─> tcpConn ─> side (one direction) ─> stream.Stream ─> iwarp.Framer
//	                        │ mpa.go: set-up          octets in        FPDUs
//	                        │                         order              │
//	                        └ ddp.go: Sends, Writes, Reads <─────────────┘

// A tcpKey names a TCP connection by its two ends, the lesser one first.
type tcpKey struct {
	addr [2]link.Addr
	port [2]uint16
}

// tcpKeyOf is the key of a segment's connection, and which of its ends sent it.
func tcpKeyOf(l *link.Packet) (k tcpKey, sender int) {
	src, dst := l.Src(), l.Dst()
	if l.DstPort < l.SrcPort || l.DstPort == l.SrcPort && dst.Less(src) {
		return tcpKey{[2]link.Addr{dst, src}, [2]uint16{l.DstPort, l.SrcPort}}, 1
	}
	return tcpKey{[2]link.Addr{src, dst}, [2]uint16{l.SrcPort, l.DstPort}}, 0
}

// tcpConn is a TCP connection.
type tcpConn struct {
	t   *Tracker
	key tcpKey
	// sides are its two directions, by their senders in the order of the key;
	// nil once it is known that the connection does not carry iWARP.
	sides [2]*side
	conn  *Conn // nil while it is a candidate
	// expected says that one of the ports is one of iWARP's.
	expected bool

	seen           [2]bool  // by side: some frame was captured
	widest, filled int      // octets of the longest segment, segments that fill an Ethernet frame
	frames, octets int64    // up to now
	early          Counters // of the rest, while it is a candidate
	earlyGaps      Gaps     // the same
	first, latest  origin   // the first frame and the last
	lastSeen       int64    // the tracker's count of TCP segments
	ending         bool     // no frame comes any more
}

// segment takes a frame that carries TCP.
func (t *Tracker) segment(f *Frame) Verdict {
	l := &f.Link
	t.segments++
	t.units.clear()
	if l.TCPData() == 0 {
		return Verdict{}
	}
	tc, sender := t.tcpConn(f)
	if tc != nil && tc.conn != nil {
		t.frames++
		t.closeExpired()
		t.units.clear() // of those that were let go
		if tc.conn.closed {
			tc, sender = t.tcpConn(f)
		}
	}
	if tc == nil {
		return Verdict{Note: Stale}
	}
	if tc.sides[0] == nil {
		return Verdict{}
	}
	s := tc.sides[sender]
	if l.TCP.Flags.Has(link.RST) {
		// Its sequence number is not always one of the stream.
		return t.reset(tc, s, f)
	}
	v, anew := s.segment(f)
	if anew {
		tc = t.watch(tc.key, tc)
		t.units.clear() // of the one before
		s = tc.sides[sender]
		v, _ = s.segment(f)
	}
	if c := tc.conn; c != nil {
		tc.settle(false)
		tc.handOn(false)
		v.Conn, v.From, v.Units, v.Faulty = c, s.end, t.units.list, t.units.faulty
		c.Handshake.closes(f, s.end, v.Note)
		t.sink.Settled(c)
	} else if tc.hopeless() {
		t.notIWARP(tc)
	} else if tc.sides[0] != nil {
		tc.settle(false)
	}
	t.relieve(tc)
	return v
}

// tcpConn finds a segment's connection, or begins to watch a new one; nil if the
// segment comes late, after the connection has ended.
func (t *Tracker) tcpConn(f *Frame) (tc *tcpConn, sender int) {
	k, sender := tcpKeyOf(&f.Link)
	tc = t.lastTCP
	if tc == nil || tc.key != k {
		tc = t.tcp[k]
	}
	opens := f.Link.TCP.Flags.Has(link.SYN) || startsIWARP(f.Payload())
	switch {
	case tc == nil && t.tcpMarks[k] && !opens:
		return nil, sender
	case tc == nil:
		tc = t.watch(k, nil)
	case tc.sides[0] == nil && opens:
		tc = t.watch(k, tc)
	}
	t.lastTCP = tc
	return tc, sender
}

// flush settles what a connection still waits for.
func (tc *tcpConn) flush() {
	tc.ending = true
	tc.settle(true)
	for _, s := range tc.sides {
		if s != nil && s.phase == waiting {
			s.startAlone()
		}
		if s != nil && s.phase == framing {
			s.framer.Flush()
		}
	}
	tc.handOn(true)
	for _, s := range tc.sides {
		if s != nil && tc.conn != nil {
			s.broken("the connection ends in the middle of it")
		}
	}
	if tc.conn == nil {
		tc.t.unwatch(tc)
	}
}

// forgetTCP lets the TCP connection of c go.
func (t *Tracker) forgetTCP(c *Conn) {
	t.unwatch(c.tcp)
	if c.Closing == Open || c.Closing == Replaced {
		return // it may go on, and is then a connection found anew
	}
	if len(t.tcpMarks) >= maxMarks {
		clear(t.tcpMarks)
	}
	t.tcpMarks[c.tcp.key] = true
}

// reset ends a connection that an RST of s aborts.
func (t *Tracker) reset(tc *tcpConn, s *side, f *Frame) Verdict {
	if tc.conn == nil {
		tc.flush() // what it held may be iWARP
	}
	c := tc.conn
	if c == nil {
		return Verdict{}
	}
	tc.count(f, s)
	t.disconnect(c, Reset)
	c.Handshake.closes(f, s.end, InOrder)
	t.sink.Settled(c)
	return Verdict{Conn: c, From: s.end}
}

// count counts a frame.
func (tc *tcpConn) count(f *Frame, sender *side) {
	tc.seen[0] = tc.seen[0] || sender == tc.sides[0]
	tc.seen[1] = tc.seen[1] || sender == tc.sides[1]
	tc.frames++
	tc.octets += int64(f.Length)
	tc.lastSeen = tc.t.segments
	o := origin{ref: f.Ref(), time: f.Time}
	if tc.frames == 1 {
		tc.first = o
	}
	tc.latest = o
	if c := tc.conn; c != nil {
		c.Frames, c.Octets = tc.frames, tc.octets
		c.seen(f.Ref(), f.Time)
		c.lastSeen = tc.t.frames
	}
}

// connection makes the Conn of a connection that carries iWARP; client is
// the side that opened it, or may have.
func (tc *tcpConn) connection(setup Setup, client *side) *Conn {
	t := tc.t
	t.decided(tc)
	c := t.newConn(setup)
	t.units.clear() // of others that this one has ousted
	tc.conn, c.tcp = c, tc
	c.Transport = link.IWARP
	client.end, client.peer.end = 0, 1
	for i, s := range tc.sides {
		c.Ends[s.end].Addr, c.Ends[s.end].Port = tc.key.addr[i], tc.key.port[i]
	}
	c.Service = rocev2.ServiceName(c.Ends[1].Port)
	c.Counters, c.Gaps = tc.early, tc.earlyGaps
	c.Frames, c.Octets = tc.frames, tc.octets
	c.Before = tc.frames
	if !tc.ending {
		c.Before = max(tc.frames-1, 0) // this one is counted with the connection
	}
	c.First, c.FirstTime = tc.first.ref, tc.first.time
	c.Last, c.LastTime = tc.latest.ref, tc.latest.time
	c.lastSeen = t.frames
	t.open(c)
	for _, s := range tc.sides {
		if s.stream.Ended() {
			t.disconnect(c, Disconnected)
		}
	}
	return c
}

// counters are what counts the connection's frames.
func (tc *tcpConn) counters() *Counters {
	if tc.conn != nil {
		return &tc.conn.Counters
	}
	return &tc.early
}

// gaps are what is missing of the connection.
func (tc *tcpConn) gaps() *Gaps {
	if tc.conn != nil {
		return &tc.conn.Gaps
	}
	return &tc.earlyGaps
}

// likelyClient is the side that seems to have opened the connection.
func (tc *tcpConn) likelyClient() *side {
	// The key has the lesser port first, and servers have the lesser ports,
	// but for those that are named.
	if tc.t.isIWARPPort(tc.key.port[1]) && !tc.t.isIWARPPort(tc.key.port[0]) {
		return tc.sides[0]
	}
	return tc.sides[1]
}
