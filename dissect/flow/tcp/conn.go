package tcp

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// senderOf is which of the connection's ends sent a segment; not ok if the segment
// is of another connection.
func senderOf(k *flow.TCPName, l *link.Packet) (sender int, ok bool) {
	src, dst := l.Src(), l.Dst()
	if l.SrcPort == k.Port[0] && l.DstPort == k.Port[1] && src == k.Addr[0] && dst == k.Addr[1] {
		return 0, true
	}
	return 1, l.DstPort == k.Port[0] && l.SrcPort == k.Port[1] && dst == k.Addr[0] && src == k.Addr[1]
}

// tcpConn is a TCP connection.
type tcpConn struct {
	env *tcpEnv
	key flow.TCPName
	// directions are its two directions, by their senders in the order of the key;
	// nil once it is known that the connection does not carry iWARP.
	directions [2]*direction
	conn       *flow.Conn // nil while it is a candidate
	// expected says that one of the ports is one of iWARP's.
	expected bool

	seen           [2]bool       // by side: some frame was captured
	widest, filled int           // bytes of the longest segment, segments that fill an Ethernet frame
	frames, bytes  int64         // up to now
	early          flow.Counters // of the rest, while it is a candidate
	earlyGaps      flow.Gaps     // the same
	first, latest  flow.Moment   // the first frame and the last
	since          int64         // the number of its first frame in the capture
	lastSeen       int64         // the tracker's count of TCP segments
	ending         bool          // no frame comes any more
}

// Finish settles what a connection still waits for.
func (tc *tcpConn) Finish() {
	tc.ending = true
	tc.giveUp(true)
	for _, s := range tc.directions {
		if s != nil && s.phase == waiting {
			s.startAlone()
		}
		if s != nil && s.phase == framing {
			s.framer.Flush()
		}
	}
	tc.handOn(true)
	for _, s := range tc.directions {
		if s != nil && tc.conn != nil {
			s.broken("the connection ends in the middle of it")
		}
	}
}

// count counts a frame.
func (tc *tcpConn) count(f *flow.Frame, sender *direction) {
	if sender == tc.directions[0] {
		tc.seen[0] = true
	} else {
		tc.seen[1] = true
	}
	tc.frames++
	tc.bytes += int64(f.Length)
	tc.lastSeen = tc.env.segments
	tc.latest = flow.Moment{Ref: f.Ref(), Time: f.Time}
	if tc.frames == 1 {
		tc.first = tc.latest
	}
	if c := tc.conn; c != nil {
		c.Frames, c.Bytes = tc.frames, tc.bytes
		tc.env.Saw(c, f)
	}
}

// connection makes the Conn of a connection that carries iWARP; client is
// the side that opened it, or may have.
func (tc *tcpConn) connection(setup flow.Setup, client *direction) *flow.Conn {
	t := tc.env
	t.decided(tc)
	c := new(flow.Conn)
	t.Add(c, setup, tc, t.keeper)
	t.units.clear() // of others that this one has ousted
	tc.conn = c
	c.Transport = link.IWARP
	client.end, client.peer.end = 0, 1
	for i, s := range tc.directions {
		c.Ends[s.end].Addr, c.Ends[s.end].Port = tc.key.Addr[i], tc.key.Port[i]
	}
	c.Service = rocev2.ServiceName(c.Ends[1].Port)
	c.Counters, c.Gaps = tc.early, tc.earlyGaps
	c.Frames, c.Bytes = tc.frames, tc.bytes
	c.Before = tc.frames
	if !tc.ending {
		c.Before = max(tc.frames-1, 0) // this one is counted with the connection
	}
	c.First, c.FirstTime = tc.first.Ref, tc.first.Time
	c.Last, c.LastTime = tc.latest.Ref, tc.latest.Time
	t.Open(c)
	for _, s := range tc.directions {
		if s.stream.Ended() {
			t.Disconnect(c, flow.Disconnected)
		}
	}
	return c
}

func (tc *tcpConn) TransportService() rocev2.Transport { return rocev2.TransportRC }

func (tc *tcpConn) OneWay() bool { return !tc.seen[0] || !tc.seen[1] }

// counters are what counts the connection's frames.
func (tc *tcpConn) counters() *flow.Counters {
	if tc.conn != nil {
		return &tc.conn.Counters
	}
	return &tc.early
}

// mixed reports whether frames of several files that were captured at a time are known to
// be among its own.
func (tc *tcpConn) mixed() bool { return tc.conn != nil && tc.conn.Mixed }

// gaps are what is missing of the connection.
func (tc *tcpConn) gaps() *flow.Gaps {
	if tc.conn != nil {
		return &tc.conn.Gaps
	}
	return &tc.earlyGaps
}

// likelyClient is the side that seems to have opened the connection.
func (tc *tcpConn) likelyClient() *direction {
	// The key has the lesser port first, and servers have the lesser ports,
	// but for those that are named.
	if tc.env.isIWARPPort(tc.key.Port[1]) && !tc.env.isIWARPPort(tc.key.Port[0]) {
		return tc.directions[0]
	}
	return tc.directions[1]
}
