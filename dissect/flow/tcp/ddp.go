package tcp

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/rocev2"
)

// queue is what is known of one queue of untagged messages: the MSN and MO of
// the segment that comes next, if anything.
type queue struct {
	msn, mo uint32
	known   bool
}

// FPDU takes the next FPDU of the stream.
func (s *direction) FPDU(f *iwarp.FPDU) {
	c := s.tc.conn
	if c == nil {
		c = s.tc.connection(flow.SetupInferred, s.tc.likelyClient())
	}
	if c.Setup == flow.SetupMPA {
		c.Established = true // whatever became of the Reply
	}
	if s.peer.phase == waiting {
		s.peer.startAlone() // what the peer sent before does not wait any longer
	}
	p := &s.pdu
	p.Decode(f.ULPDU, f.ULPDULength)
	at := s.base + f.At
	d := segment{at: at, end: at + uint64(f.Length), pdu: p, lost: f.Cut == iwarp.CutByLoss, cut: cutBecause(f.Cut)}
	var seq int64
	d.refs, d.first, d.last, seq = s.framesOf(at, at+uint64(f.Length))
	if s.sought {
		if s.sought = false; at > s.soughtFrom {
			s.unread() // what stands between the hole and this
		}
	}
	s.arrived(seq, at+uint64(f.Length))
	fault := ""
	switch {
	case f.CRCState == iwarp.CRCWrong:
		c.BadCRC++
		s.breakOff("the CRC of an FPDU is wrong", true)
	case f.Fault.Bad(): // or Lost
		s.breakOff("an FPDU is malformed", true)
	case p.Fault.Bad() && !(f.Cut != iwarp.Whole && p.Fault.Offset == len(p.Bytes)):
		s.breakOff("a DDP segment is malformed", true)
	case len(p.Bytes) < p.PayloadStart || p.PayloadStart == 0:
		s.breakOff(d.cut, true)
	default:
		if s.awaited.known && !p.Tagged && p.QN == 0 {
			const most = 1 << 16 // more than any hole has
			if s.awaited.known = false; p.MO == 0 && p.MSN-s.awaited.msn < most {
				c.LostSends(s.end, int64(p.MSN-s.awaited.msn))
			}
		}
		fault = s.sequence(p)
		if fault != "" && p.OpCode != iwarp.OpTerminate {
			s.breakOff("a DDP segment is out of sequence", false) // the receiver takes no such segment
			break
		}
		if p.OpCode == iwarp.OpReadRequest || p.OpCode.IsSend() && p.MO == 0 {
			d.after = s.ackedBy(at)
		}
		s.locate(&d, f)
		s.takeSegment(c, &d)
	}
	s.unitOfFPDU(f, d.refs, fault)
}

// A segment is a DDP segment on its way to a message.
type segment struct {
	at          uint64 // position in the stream
	pdu         *iwarp.PDU
	refs        []flow.Ref
	first, last int64        // the times of the first and the last of refs
	pieces      []flow.Piece // of a Send: where the payload lies, from its first byte on
	place       flow.Place   // of what names the memory of an RDMA operation
	cut         string       // why not all of it was captured, "" if it was
	lost        bool         // frames are missing that brought the rest
	end         uint64       // position in the stream of what comes after its FPDU
	after       uint64       // of a Read Request or the first of a Send: what its sender had of the peer's stream
}

// Skipped takes note of bytes that belong to no FPDU that can be told.
func (s *direction) Skipped(uint64) {
	if s.tc.conn != nil && !s.sought { // else it shows with the next FPDU whether any of them were there
		s.breakOff(cutByLoss, true)
	}
}

const cutByLoss = "frames are missing from the capture"

func cutBecause(why iwarp.Cut) string {
	switch why {
	case iwarp.CutBySnap:
		return flow.CutBySnap
	case iwarp.CutByLoss:
		return cutByLoss
	}
	return ""
}

// ddp takes a DDP segment that is whole in its header and in sequence.
func (s *direction) ddp(c *flow.Conn, d *segment) {
	switch op := d.pdu.OpCode; {
	case op.IsSend():
		s.send(c, d)
	case op == iwarp.OpWrite:
		s.write(c, d)
	case op == iwarp.OpReadRequest:
		s.readRequest(c, d)
	case op == iwarp.OpReadResponse:
		s.readResponse(c, d)
	case op == iwarp.OpAtomicResponse:
		s.peer.reads.next++ // Atomics count with the Reads
	case op == iwarp.OpTerminate:
		s.terminate(c, d)
	}
}

// sequence checks a segment's MSN and MO against those that come next in its
// queue (RFC 5041 section 5.2.1), and says what is wrong.
func (s *direction) sequence(p *iwarp.PDU) (fault string) {
	if p.Tagged || p.QN >= uint32(len(s.queues)) {
		return ""
	}
	q := &s.queues[p.QN]
	switch {
	case q.known && p.MSN != q.msn:
		fault = fmt.Sprintf("MSN %d where %d comes next in queue %d", p.MSN, q.msn, p.QN)
	case q.known && p.MO != q.mo:
		fault = fmt.Sprintf("MO %d where %d comes next in MSN %d", p.MO, q.mo, p.MSN)
	}
	*q = queue{p.MSN, p.MO + uint32(p.PayloadLength()), true}
	if p.Last {
		q.msn, q.mo = p.MSN+1, 0
	}
	return fault
}

// send takes a segment of a Send.
func (s *direction) send(c *flow.Conn, d *segment) {
	p, m := d.pdu, s.message
	if p.MO == 0 {
		s.broken("a new message begins in the middle of it")
		m = s.env.NewMessage(&s.message, p.Last)
		m.Begin(rocev2.KindSend)
		m.Send = flow.Send{From: s.end, First: d.first}
		m.Handle = p.MSN
		m.Send.Point = flow.Point{From: s.end, First: p.MSN, Last: p.MSN, Numbered: true}
		s.fillHad(c, &m.Send.Point, d.after)
	} else if m == nil || m.Kind != rocev2.KindSend || m.Handle != p.MSN || m.Send.Length != int(p.MO) {
		s.broken("a Send continues in the middle of it")
		return
	}
	msg, payload := &m.Send, p.Payload()
	msg.Last = d.last
	msg.Length += p.PayloadLength()
	if p.MO == 0 && p.Last {
		// The common case copies nothing.
		m.Frames = append(m.Frames[:0], d.refs...)
		msg.Frames, msg.Bytes, m.Cut = m.Frames, payload, d.cut
		m.Locate(0, d.pieces)
	} else {
		start := len(m.Bytes)
		if s.env.Assemble(m, payload, d.cut, d.refs...) {
			m.Locate(start, d.pieces)
		}
		msg.Frames, msg.Bytes = m.Frames, m.Bytes
	}
	msg.Pieces = m.Pieces
	if !p.Last {
		return
	}
	m.Kind = 0
	s.ends.addSend(p.MSN, d.end)
	msg.Whole, msg.Missing = m.Cut == "", m.Cut
	if p.OpCode.Invalidates() {
		msg.Invalidate, msg.HasInvalidate = p.Invalidate, true
	}
	if msg.Length == 0 && p.MSN == 1 && s.end == 0 && s.tc.peerToPeer() {
		return // RTR: it says only that the initiator is ready
	}
	s.env.Sink.Send(c, msg)
}

// write takes a segment of an RDMA Write. Each says by itself where it belongs.
func (s *direction) write(c *flow.Conn, d *segment) {
	p := d.pdu
	payload := p.Payload()
	w := &s.env.Write
	w.From, w.Point, w.Handle, w.Offset, w.Length = s.end, flow.Point{From: s.end}, p.STag, p.TO, d.length()
	w.Bytes, w.Frames, w.Time = payload, d.refs, d.last
	w.Place, w.Start, w.Announced = d.place, s.between, 0
	s.between = p.Last
	s.env.Sink.Write(c, w)
}

// length is the payload in bytes as far as the capture has it: what the snap
// length cut is counted, what is missing altogether is not.
func (d *segment) length() int {
	if d.lost {
		return len(d.pdu.Payload())
	}
	return d.pdu.PayloadLength()
}

// terminate takes a Terminate: the sender closes the stream, and says why.
func (s *direction) terminate(c *flow.Conn, d *segment) {
	t, ok := d.pdu.Termination()
	if !ok || c.Closing == flow.Terminated {
		return
	}
	t.DDP, t.RDMAP = append([]byte(nil), t.DDP...), append([]byte(nil), t.RDMAP...)
	c.Termination, c.TerminatedBy = &t, s.end
	s.env.Disconnect(c, flow.Terminated)
	if c.Closing == flow.Disconnected || c.Closing == flow.Reset {
		c.Closing = flow.Terminated // a FIN or RST came while it waited for the other direction
	}
}

// broken gives up the Send that the side is in the middle of, if any.
func (s *direction) broken(missing string) {
	m := s.message
	if m == nil || m.Kind == 0 {
		return
	}
	m.Kind = 0
	m.Send.Whole, m.Send.Missing = false, missing
	s.env.Sink.Send(s.tc.conn, &m.Send)
}
