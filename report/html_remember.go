package report

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/rocev2"
)

// remember puts a frame on the trail. Last is the number of the last step of its
// connection, 0 for none; the new one is returned.
func (h *HTML) remember(v *dissect.FrameView, last uint64) uint64 {
	if v.IB != nil {
		s, number := h.trail.add()
		begin(s, v, last)
		fromPacket(s, v)
		h.now.fill(s)
		h.keepOctets(s, v)
		return number
	}
	waits := v.Verdict.Waiting && v.Link.Transport == link.TCP
	if v.Connection == nil && !waits {
		return last
	}
	if len(v.Verdict.Units) == 0 {
		s, number := h.trail.add()
		begin(s, v, last)
		s.kind, s.flags = trailTCP, v.Link.TCP.Flags.Control()
		if at := v.Link.TCPData(); at > 0 {
			s.length = uint32(max(0, v.Link.End()-at))
		}
		h.keepOctets(s, v)
		return number
	}
	var octets step // where those of the frame are
	h.keepOctets(&octets, v)
	for i := range v.Verdict.Units {
		s, number := h.trail.add()
		begin(s, v, last)
		s.octets, s.kept = octets.octets, octets.kept
		fromUnit(s, v, &v.Verdict.Units[i])
		h.now.fill(s)
		last = number
	}
	return last
}

// begin fills in what any step has.
func begin(s *step, v *dissect.FrameView, last uint64) {
	s.frame = flow.Ref{File: v.Frame.File, Number: v.Frame.Number}
	s.time, s.link, s.whole = v.Frame.Time, v.Frame.Frame.Link, uint32(len(v.Frame.Data))
	s.from, s.note = v.Verdict.From, v.Verdict.Note
	if v.Connection != nil {
		s.conn, s.before = int32(v.Connection.ID), last
	}
}

// keepOctets copies the frame: of one that only moves data its headers, and nothing of
// one in the middle of an operation.
func (h *HTML) keepOctets(s *step, v *dissect.FrameView) {
	data, most := v.Frame.Data, otherOctets
	if s.position == rocev2.PositionMiddle && (s.kind == trailWrite || s.kind == trailReadData) && !v.Faulty() {
		return
	}
	if s.kind == trailWrite || s.kind == trailReadData || s.kind == trailTCP || v.IB == nil && !v.Verdict.Faulty && v.Message == nil && len(data) > 1024 {
		most = dataOctets
	}
	data = data[:min(len(data), most)]
	s.octets, s.kept = h.trail.keep(data), uint32(len(data))
}

// fromPacket fills in what a packet of InfiniBand does.
func fromPacket(s *step, v *dissect.FrameView) {
	p := v.IB
	s.psn, s.position, s.length = p.PSN, p.OpCode.Position(), uint32(max(0, p.PayloadLength()))
	if p.RETH() != 0 {
		s.handle, s.offset = p.RKey(), p.VA()
	}
	switch p.OpCode.Kind() {
	case rocev2.KindSend:
		s.kind = trailSend
		if p.OpCode.HasInv() {
			s.kind = trailSendInv
			s.handle = p.InvRKey()
		}
		if p.DETH() != 0 && rocev2.IsCM(p.DestQP, p.QKey()) {
			s.kind = trailCM
			s.text = string(rocev2.AppendCMSummary(nil, p.Payload()))
		}
	case rocev2.KindWrite:
		s.kind = trailWrite
	case rocev2.KindReadRequest:
		s.kind = trailReadRequest
		if p.RETH() != 0 {
			s.length = p.DMALen()
		}
	case rocev2.KindReadResponse:
		s.kind = trailReadData
	case rocev2.KindAcknowledge, rocev2.KindAtomicAcknowledge:
		s.kind = trailACK
		if p.AETH() != 0 {
			s.syndrome = p.Syndrome()
		}
	case rocev2.KindCompareSwap, rocev2.KindFetchAdd, rocev2.KindAtomicWrite:
		s.kind = trailAtomic
		if p.Atomic() != 0 {
			s.handle, s.offset = p.RKey(), p.VA()
		}
	default:
		s.text = p.OpCode.String()
	}
}

// fromUnit fills in what a unit of iWARP does.
func fromUnit(s *step, v *dissect.FrameView, u *flow.Unit) {
	if u.At >= 0 {
		s.unit = uint32(v.Link.TCPData() + u.At)
		s.unitTo = s.unit + uint32(len(u.Raw()))
	}
	if u.IsStart {
		s.kind = trailMPA
		s.text = string(iwarp.AppendStartSummary(nil, &u.Start))
		return
	}
	p := &u.PDU
	s.length, s.position = uint32(max(0, p.PayloadLength())), rocev2.PositionMiddle
	if p.Last {
		s.position = rocev2.PositionLast
	}
	if p.Tagged {
		s.handle, s.offset = p.STag, p.TO
	} else {
		s.psn = p.MSN
	}
	switch {
	case u.FPDU.Lost || u.Fault != "":
		s.text = u.Fault
	case p.OpCode.IsSend():
		s.kind = trailSend
		if p.OpCode.Invalidates() {
			s.kind, s.handle = trailSendInv, p.Invalidate
		}
	case p.OpCode == iwarp.OpWrite:
		s.kind = trailWrite
	case p.OpCode == iwarp.OpReadRequest:
		s.kind = trailReadRequest
		if r, ok := p.ReadRequest(); ok {
			s.handle, s.offset, s.length = r.SourceSTag, r.SourceTO, r.Size
		}
	case p.OpCode == iwarp.OpReadResponse:
		s.kind = trailReadData
		s.handle, s.offset = 0, 0 // those of the requester's own memory
	case p.OpCode == iwarp.OpAtomicRequest:
		s.kind = trailAtomic
	case p.OpCode == iwarp.OpTerminate:
		s.kind = trailTerminate
		s.text = string(iwarp.AppendPDUSummary(nil, p))
	default:
		s.text = string(iwarp.AppendPDUSummary(nil, p))
	}
}
