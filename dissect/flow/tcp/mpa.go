package tcp

import (
	"bytes"
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
)

// A connection is set up by one MPA frame each way, the first bytes of each
// stream. Each says what its sender wants to receive, so what the FPDUs of a
// direction look like follows from the frame of the other one:
//
//	initiator ── MPA Request (M: markers towards me) ──> responder
//	initiator <── MPA Reply (M: markers towards me) ──── responder
//	initiator ── FPDUs, markers if the Reply has M ────> responder
//	initiator <── FPDUs, markers if the Request has M ── responder

// open takes the first bytes of a stream.
func (s *direction) open(b []byte) {
	head := b
	if len(s.head) > 0 {
		s.head = append(s.head, b...)
		head = s.head
	}
	if !iwarp.LooksLikeStart(head) {
		s.noStart(b)
		return
	}
	n, whole := s.start.Decode(head)
	if !whole {
		if len(s.head) == 0 {
			s.head = append(s.head, b...)
		}
		return
	}
	rest := head[n:]
	at := s.pos - uint64(len(rest)) - uint64(n)
	s.started(at, n)
	s.head = append(s.head[:0], rest...)
	s.tc.beginConn()
}

// startsLate reports whether b begins with the side's start frame although its
// stream began with something else: the peer's was seen.
func (s *direction) startsLate(b []byte) bool {
	return !s.hasStart && s.peer.hasStart && !s.framer.Synchronized() && iwarp.Starts(b)
}

// noStart takes the first bytes of a stream that does not begin with an MPA
// frame: the capture began later, or the stream carries something else.
func (s *direction) noStart(b []byte) {
	if s.syn && s.tc.conn == nil {
		s.phase, s.head = foreign, nil
		return
	}
	if len(s.head) == 0 {
		s.head = append(s.head, b...)
	}
	s.hunt()
}

// cutStart takes the start frame of a stream of which the snap length cut n
// bytes; not ok if too little of it is there.
func (s *direction) cutStart(n uint64, from *origin) (ok bool) {
	if !iwarp.LooksLikeStart(s.head) {
		return false
	}
	length, _ := s.start.Decode(s.head)
	rest := length - len(s.head)
	if length == 0 || rest < 0 || uint64(rest) > n {
		return false
	}
	s.origins = append(s.origins, run{s.pos, s.pos + uint64(rest), -1, -1, *from})
	s.pos += uint64(rest)
	s.started(s.pos-uint64(length), length)
	s.head = s.head[:0]
	s.tc.beginConn()
	if left := n - uint64(rest); left > 0 {
		s.Void(left, true, from)
	}
	return true
}

// started notes a start frame, of n bytes from position at of the stream.
func (s *direction) started(at uint64, n int) {
	m := &s.start
	s.phase, s.hasStart = waiting, true
	tc := s.tc
	client := s
	if m.Reply {
		client = s.peer
	}
	c := tc.conn
	if c == nil {
		c = tc.connection(flow.SetupMPA, client)
	}
	c.SetClient(client.end)
	if client.end == 0 {
		c.Setup = flow.SetupMPA
	}
	c.Ends[s.end].PrivateData = bytes.Clone(m.PrivateData())
	if p := m.PrivateData(); p != nil && c.Ends[s.end].PrivateData == nil {
		c.Ends[s.end].PrivateData = []byte{} // captured, and empty
	}
	s.noteMPAFrame(c, at, n)
	s.unitOfStart(at, n)
	// What the decoder points into is gone when the call returns.
	m.Bytes = nil
	switch {
	case !m.Reply:
	case m.Reject:
		s.env.Disconnect(c, flow.Rejected)
	default:
		c.Established = true
	}
}

// beginConn lets the directions whose start frame was seen go on to FPDUs, once the
// other's is known.
func (tc *tcpConn) beginConn() {
	if !tc.directions[0].hasStart || !tc.directions[1].hasStart {
		return
	}
	for _, s := range tc.directions {
		if s.phase == waiting {
			s.beginStream(s.peer.start.Markers)
		}
	}
}

// beginStream takes the stream's first FPDU.
func (s *direction) beginStream(markers bool) {
	s.queues = [4]queue{{1, 0, true}, {1, 0, true}, {1, 0, true}, {1, 0, true}}
	s.peer.reads.next, s.peer.reads.known = 1, true
	s.between = true
	use := s.tc.crcUse()
	s.frame(s.pos-uint64(len(s.head)), func() { s.framer.Start(s, markers, use) })
}

// startAlone lets a side go on to FPDUs whose start frame was seen, but not the
// peer's. Where its FPDUs begin is known, and whether with a marker too: that
// would be zero, as a ULPDU_Length never is.
func (s *direction) startAlone() {
	const marker = 4
	if len(s.head) < marker {
		s.hunt()
		return
	}
	s.beginStream(binary.BigEndian.Uint32(s.head) == 0)
}

// crcUse is what the start frames agree on: the CRC is used if either asks for
// it (RFC 5044 section 7.1).
func (tc *tcpConn) crcUse() iwarp.CRCUse {
	a, b := tc.directions[0], tc.directions[1]
	switch {
	case a.start.CRC || b.start.CRC:
		return iwarp.CRCUsed
	case a.hasStart && b.hasStart:
		return iwarp.CRCUnused
	}
	return iwarp.CRCUnknown
}

// peerToPeer reports whether the ends agreed that the first FPDU says only that
// its sender is ready (RFC 6581 section 9: RTR).
func (tc *tcpConn) peerToPeer() bool {
	return tc.directions[0].start.PeerToPeer || tc.directions[1].start.PeerToPeer
}
