package tcp

import (
	"slices"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
)

// tcpEnv is what the TCP connections and their sides work with.
type tcpEnv struct {
	*flow.Connections
	keeper     flow.Keeper // of the connections that carry iWARP
	port       uint16      // track.Options.IWARPPort
	wantUnits  bool        // track.Options.Units
	segments   int64       // that were taken
	candidates []*tcpConn  // those that may turn out to be iWARP
	units      units
}

// A Tracker finds the TCP connection of a segment.
type Tracker struct {
	*tcpEnv
	tcp      map[flow.TCPName]*tcpConn
	lastTCP  *tcpConn              // that of the last segment, tried before the map
	other    *tcpConn              // stands in tcp for each that is not iWARP
	others   int                   // how many those are, about
	spare    [][2]*direction       // of some of them, for use again
	tcpMarks map[flow.TCPName]bool // ended connections
}

// New returns a Tracker whose connections are among all. port is a TCP port that
// carries iWARP beside 20049, 0 for none; units asks for the MPA frames and FPDUs of
// each frame.
func New(all *flow.Connections, port uint16, units bool) *Tracker {
	t := &Tracker{
		other:    new(tcpConn),
		tcpEnv:   &tcpEnv{Connections: all, port: port, wantUnits: units},
		tcp:      make(map[flow.TCPName]*tcpConn),
		tcpMarks: make(map[flow.TCPName]bool),
	}
	t.keeper = t
	return t
}

// Frame takes a frame that carries TCP, and says in v, which is zero before, what
// became of it.
func (t *Tracker) Frame(f *flow.Frame, v *flow.Verdict) {
	l := &f.Link
	t.segments++
	t.units.clear()
	if l.TCPData() == 0 {
		return
	}
	payload := f.Payload()
	// A connection may turn to iWARP after it was used for something else.
	starts := iwarp.Starts(payload)
	tc, sender := t.tcpConn(l, starts)
	if tc == nil {
		v.Note = flow.Stale
		return
	}
	if tc.directions[0] == nil {
		return
	}
	s := tc.directions[sender]
	if l.TCP.Flags.Has(link.RST) {
		// Its sequence number is not always one of the stream.
		*v = t.reset(tc, s, f)
		return
	}
	if anew := s.segment(f, payload, starts, v); anew {
		tc = t.watch(tc.key, tc)
		t.units.clear() // of the one before
		s = tc.directions[sender]
		s.segment(f, payload, starts, v)
	}
	if c := tc.conn; c != nil {
		tc.goOn(s)
		v.Conn, v.From = c, s.end
		if len(t.units.list) > 0 {
			v.Units = t.units.list
		}
		v.Faulty = t.units.faulty
		s.closes(&c.Handshake, f, v.Note)
		t.Sink.FrameDone(c)
	} else if tc.hopeless() {
		t.notIWARP(tc)
	} else if tc.directions[0] != nil {
		tc.giveUp(false)
		tc.account()
	}
	if t.Kept > t.Limits.Kept {
		t.relieve(tc)
	}
}

// tcpConn finds a segment's connection, or begins to watch a new one; nil if the
// segment comes late, after the connection has ended. Starts says that the segment
// begins with an MPA frame.
func (t *Tracker) tcpConn(l *link.Packet, starts bool) (tc *tcpConn, sender int) {
	opens := starts || l.TCP.Flags.Has(link.SYN)
	if tc = t.lastTCP; tc != nil {
		var of bool
		if sender, of = senderOf(&tc.key, l); of && (tc.directions[0] != nil || !opens) {
			return tc, sender
		}
	}
	k, sender := flow.TCPNameOf(l)
	tc = t.tcp[k]
	switch {
	case tc == nil && t.tcpMarks[k] && !opens:
		return nil, sender
	case tc == nil:
		tc = t.watch(k, nil)
	case tc.directions[0] == nil && opens:
		tc = t.watch(k, tc)
	}
	t.lastTCP = tc
	return tc, sender
}

// Flush settles what the candidates still wait for.
func (t *Tracker) Flush() {
	for _, tc := range slices.Clone(t.candidates) {
		t.At.Order = tc.since
		t.flushCandidate(tc)
	}
}

// flushCandidate settles what a candidate still waits for, which may show that it
// carries iWARP; otherwise it is forgotten.
func (t *Tracker) flushCandidate(tc *tcpConn) {
	tc.Finish()
	if tc.conn == nil {
		t.unwatch(tc)
	}
}

// Adopt has nothing to do: a segment names both ends, so none waits to be paired.
func (t *Tracker) Adopt(*flow.Conn) {}

// Evicting has nothing to note: a connection that goes on is found by its FPDUs.
func (t *Tracker) Evicting(*flow.Conn) {}

// Forget lets the TCP connection of c go.
func (t *Tracker) Forget(c *flow.Conn) {
	tc := c.Carrier().(*tcpConn)
	t.unwatch(tc)
	if c.Closing == flow.Open || c.Closing == flow.Replaced {
		return // it may go on, and is then a connection found anew
	}
	if len(t.tcpMarks) >= flow.MaxMarks {
		clear(t.tcpMarks)
	}
	t.tcpMarks[tc.key] = true
}

// reset ends a connection that an RST of s aborts.
func (t *Tracker) reset(tc *tcpConn, s *direction, f *flow.Frame) flow.Verdict {
	if tc.conn == nil {
		t.flushCandidate(tc) // what it held may be iWARP
	}
	c := tc.conn
	if c == nil {
		return flow.Verdict{}
	}
	tc.count(f, s)
	if s.leftOut {
		// What stands after that, as the Terminate which this follows, has nothing to wait for.
		tc.giveUp(true)
		tc.handOn(true)
	}
	t.Disconnect(c, flow.Reset)
	s.closes(&c.Handshake, f, flow.InOrder)
	t.Sink.FrameDone(c)
	return flow.Verdict{Conn: c, From: s.end}
}

func (tc *tcpConn) IWARP() bool { return true }
