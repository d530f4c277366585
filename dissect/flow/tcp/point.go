package tcp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/ring"
)

// sendEnds are where the last Sends of a side end in its stream.
type sendEnds struct{ ring.Ring[sendEnd] }

// A sendEnd is the MSN of a Send and the position after it.
type sendEnd struct {
	end uint64
	msn uint32
}

func (e *sendEnds) addSend(msn uint32, end uint64) {
	const most = 16
	*e.Add(most) = sendEnd{end, msn}
}

// upTo is the newest Send that ends before a position.
func (e *sendEnds) upTo(at uint64) (msn uint32, ok bool) {
	for x := range e.Backward() {
		if int64(at-x.end) >= 0 {
			return x.msn, true
		}
	}
	return 0, false
}

// fillHad notes what the side had acknowledged when it began a message: of the peer's
// stream, all before a position.
func (s *direction) fillHad(c *flow.Conn, p *flow.Point, before uint64) {
	if !c.Mixed {
		p.Had, p.Acknowledged = s.peer.ends.upTo(before)
	}
}

// Delivery is what became of a Send.
func (tc *tcpConn) Delivery(p flow.Point) flow.Delivery {
	if c := tc.conn; c.Termination != nil && c.TerminatedBy != p.From {
		if msn, ok := c.Termination.SendMSN(); ok && msn == p.Last {
			return flow.Refused
		}
	}
	for _, s := range tc.directions {
		if s == nil || s.end != p.From || !s.acks.ack.any {
			continue
		}
		// All up to here was acknowledged.
		at := s.pos + uint64(int64(int32(s.acks.ack.next-s.stream.Next())))
		if msn, ok := s.ends.upTo(at); ok && int32(msn-p.Last) >= 0 {
			return flow.Acknowledged
		}
	}
	return flow.Underway
}

func (tc *tcpConn) Distance(n, from uint32) int32 { return int32(n - from) }
