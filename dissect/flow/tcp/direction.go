package tcp

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/dissect/stream"
	"github.com/rdmacap/rdmacap/iwarp"
)

// direction is one direction of a TCP connection: what one end sends.
type direction struct {
	env  *tcpEnv
	tc   *tcpConn
	end  flow.End // the sender, once the connection is known to carry iWARP
	peer *direction

	stream    stream.Stream[origin]
	taken     stream.Segment[origin]      // the one that is taken
	provenAt  int64                       // frame count when the peer had acknowledged the first hole, 0 if not yet
	provenEnd uint64                      // position in the stream of the end of that
	provenPos uint64                      // position in the stream of its begin
	provenBy  flow.Moment                 // the frame that acknowledged it
	stands    order.Instant               // since when that did not move
	gap       uint32                      // where the first hole begins, by sequence number
	gapAt     order.Instant               // when it showed
	gapBy     origin                      // what showed it
	showed    flow.Moment                 // what stands after a hole that is given up now
	resent    bool                        // something was retransmitted since the hole showed
	front     uint32                      // after the last byte that was seen, by sequence number
	files     order.Fronts                // how far each file has the stream
	acks      acknowledgements            // what the peer said of it
	clue      clue                        // of the segment that is taken
	hole      struct{ start, end uint64 } // the last one that was given up
	kept      int                         // bytes that wait, as the tracker counts them
	sent      sendings                    // segments, each as it was first seen
	again     sendings                    // those that were sent again

	phase    phase
	syn      bool   // the stream was seen from its first byte
	syns     int64  // how often its SYN was sent before the peer answered
	lastSYN  int64  // when, the last time of these
	hadFIN   bool   // it acknowledged a FIN of the peer that the capture lacks
	head     []byte // bytes of the phases before framing
	start    iwarp.Start
	hasStart bool // start is the side's MPA frame
	framer   iwarp.Framer
	base     uint64 // position in the stream where the framer began
	pos      uint64 // position in the stream of what comes next
	zero     uint32 // sequence number of position 0
	origins  []run  // of the bytes that are still looked at

	current flow.Ref // the last frame of this side
	payload []byte   // its bytes while its segment is taken, else nil
	leftOut bool     // what is missing before the last frame is not in the capture, and will not come
	guess   bool     // a hole is given up of which nobody knows whether it was delivered
	pdu     iwarp.PDU
	refs    []flow.Ref
	pieces  []flow.Piece
	queues  [4]queue
	// awaited is the Send that comes next if none was in a hole, if known.
	awaited queue
	message *flow.Message // nil until one of several segments begins
	// sought says that the next FPDU is sought after a hole that ends at soughtFrom.
	sought     bool
	soughtFrom uint64
	between    bool // the next segment of an RDMA Write is known to begin one
	reads      pendingReads
	early      []response
	ends       sendEnds // where the last Sends end in the stream

	behind    int64     // frame count since which the side waits for something, 0 if it does not
	postponed postponed // what waits for the other side
}

// phase is how far the stream of one direction has come.
type phase uint8

const (
	opening phase = iota // MPA Request or Reply expected, or nothing seen
	waiting              // its own was seen, the peer's not: it says whether there are markers
	framing              // FPDUs
	foreign              // something else
)

// segment takes a frame that this side sent, and says in v, which is zero before, how
// it came. Starts says that its payload begins with an MPA frame, anew that it opens
// another connection, and was not taken.
func (s *direction) segment(f *flow.Frame, payload []byte, starts bool, v *flow.Verdict) (anew bool) {
	tcp := &f.Link.TCP
	if starts && s.opensAnother(tcp.Seq) {
		return true
	}
	// It is handed on by reference, so a variable would be allocated each time.
	seg := &s.taken
	seg.Seq, seg.Length, seg.Bytes = tcp.Seq, f.PayloadLength(), payload
	seg.SYN, seg.FIN = tcp.Flags.Has(link.SYN), tcp.Flags.Has(link.FIN)
	seg.From.set(f, s.tc.frames+1)
	if !s.stream.Begun() {
		s.syn, s.zero = seg.SYN, seg.From.first
	}
	if p := &s.peer.stream; tcp.Flags.Has(link.ACK) && p.Begun() && !p.Ended() && tcp.Ack-p.Next() == 1 {
		s.hadFIN = true // which takes one sequence number (RFC 9293, section 3.4)
	}
	if !seg.SYN {
		s.tc.count(f, s) // before what it carries is told
		if tcp.Flags.Has(link.ACK) {
			s.peer.stream.Acked(tcp.Ack)
			s.peer.lookBehind()
			s.peer.acknowledged(f)
		}
	}
	s.look(f)
	if c := s.tc.conn; c != nil {
		c.Coming = s.comes(f)
	}
	s.current, s.payload = f.Ref(), payload
	s.showed = flow.Moment{Ref: s.current, Time: f.Time}
	place, missing := s.stream.Add(seg, s)
	s.payload, seg.Bytes = nil, nil
	if place == stream.Anew {
		return true
	}
	if seg.SYN {
		s.tc.count(f, s)
		if tcp.Flags.Has(link.ACK) {
			s.peer.stream.Acked(tcp.Ack)
		}
	}
	s.tc.sized(seg.Length)
	v.Note = s.classify(place, f)
	if seg.SYN && v.Note != flow.Duplicate && !s.peer.stream.Begun() {
		s.syns, s.lastSYN = s.syns+1, f.Time
	}
	if v.Note == flow.Gap {
		v.Missing = s.clue.missing
	}
	// One that fills a hole may still wait for another.
	v.Waiting = v.Note == flow.Gap || place == stream.Filled && missing > 0
	s.leftOut = v.Waiting && (s.leftOut || f.LeftOut())
	return false
}

// opensAnother reports whether a segment with that sequence number, which begins with
// an MPA frame, begins another connection on the same ports, or the first one
// that carries iWARP on a connection that did not.
func (s *direction) opensAnother(seq uint32) bool {
	if s.tc.conn == nil {
		return s.phase == framing || s.phase == foreign
	}
	const far = 1 << 22 // more than waits, and than is retransmitted
	d := int32(seq - s.stream.Next())
	return s.stream.Begun() && (d < -far || d > far)
}

// Bytes takes the next bytes of the stream.
func (s *direction) Bytes(b []byte, from *origin) {
	start := s.pos
	s.pos += uint64(len(b))
	s.originate(start, b, from)
	switch s.phase {
	case opening:
		s.open(b)
	case waiting:
		s.head = append(s.head, b...)
		if len(s.head) > maxHead || s.tc.frames > maxAlone && s.tc.OneWay() {
			s.startAlone() // the peer's is not in the capture
		}
	case framing:
		if s.startsLate(b) {
			s.phase = opening
			s.open(b)
			break
		}
		if s.framer.Failed() && s.tc.conn != nil {
			// By now the other direction has shown that it is iWARP.
			s.huntFrom(start)
		}
		if at := s.begins(start, from); at >= 0 && at < len(b) && !s.framer.Synchronized() {
			s.framer.Data(b[:at])
			s.framer.Resume()
			b = b[at:]
		}
		s.framer.Data(b)
	}
	s.prune()
}

// maxHead is how many bytes wait for the peer's start frame.
const maxHead = 16 << 10

// maxAlone is how many frames of a connection wait for that while the capture has none of the
// peer.
const maxAlone = 32

// Void takes note of bytes that the capture lacks.
func (s *direction) Void(n uint64, snap bool, from *origin) {
	if s.phase == opening && snap && s.cutStart(n, from) {
		return
	}
	s.lost(n, snap)
	if !snap {
		s.awaitSend()
		s.addHole()
	}
	switch s.phase {
	case opening:
		s.hunt()
	case waiting:
		s.startAlone()
	}
	if snap {
		// The frame is one of those that carried what it cut.
		s.origins = append(s.origins, run{s.pos, s.pos + n, -1, -1, *from})
	}
	s.pos += n
	why := iwarp.CutByLoss
	if snap {
		why = iwarp.CutBySnap
	}
	if s.phase == framing {
		s.framer.Void(n, why)
		switch {
		case s.framer.Synchronized() || s.tc.conn == nil:
		case snap:
			s.breakOff(cutBecause(why), true) // the Send that it is in goes no further
		default:
			s.sought, s.soughtFrom, s.queues = true, s.pos, [4]queue{}
			s.interrupt(cutBecause(why), true)
		}
	}
	s.prune()
}

// End says that the sender closes the stream.
func (s *direction) End() {
	if c := s.tc.conn; c != nil {
		s.env.Disconnect(c, flow.Disconnected)
	}
}

// frame lets the framer take the stream from a position on: what waits in head,
// then what comes.
func (s *direction) frame(at uint64, begin func()) {
	s.phase = framing
	s.base = at
	begin()
	head := s.head
	s.head = nil
	if len(head) > 0 {
		s.framer.Data(head)
	}
}

// hunt looks for FPDUs in a stream whose beginning is not known.
func (s *direction) hunt() { s.huntFrom(s.pos - uint64(len(s.head))) }

// huntFrom is hunt from a position on, which head begins with if it is not empty.
func (s *direction) huntFrom(at uint64) {
	strict := !s.tc.expected && s.tc.conn == nil
	s.breakOff("", true)
	s.frame(at, func() { s.framer.Hunt(s, s.tc.crcUse(), strict) })
}

// failed reports whether the stream is known not to carry FPDUs.
func (s *direction) failed() bool {
	return s.phase == foreign || s.phase == framing && s.framer.Failed()
}

// drop gives back what the side keeps.
func (s *direction) drop() {
	s.env.Kept -= s.kept
	s.kept = 0
	s.env.DropBuffer(s.message)
}
