package ladder

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/rocev2"
)

// AppendSteps appends the steps of the frame in hand, and says how many of its bytes are kept.
func (n *CurrentFrame) AppendSteps(list []Step, v *dissect.FrameView) (steps []Step, keep int) {
	if v.IB != nil {
		list, s := appendStep(list, v)
		fromPacket(s, v)
		n.fill(s)
		return list, kept(s, v)
	}
	waits := v.Verdict.Waiting && v.Link.Transport == link.TCP
	if v.Connection == nil && !waits {
		return list, 0
	}
	if len(v.Verdict.Units) == 0 {
		list, s := appendStep(list, v)
		s.kind, s.flags = kindTCP, v.Link.TCP.Flags.Control()
		if at := v.Link.TCPData(); at > 0 {
			s.length = uint32(max(0, v.Link.End()-at))
		}
		return list, kept(s, v)
	}
	for i := range v.Verdict.Units {
		var s *Step
		list, s = appendStep(list, v)
		fromUnit(s, v, &v.Verdict.Units[i])
		n.fill(s)
	}
	return list, kept(new(Step), v)
}

// appendStep appends a step of a frame, with what any has.
func appendStep(list []Step, v *dissect.FrameView) ([]Step, *Step) {
	list = append(list, Step{})
	s := &list[len(list)-1]
	s.frame = v.Frame.Ref()
	s.time, s.link, s.whole = v.Frame.Time, v.Frame.Frame.Link, uint32(len(v.Frame.Data))
	s.from, s.note = v.Verdict.From, v.Verdict.Note
	return list, s
}

// kept is how many bytes of a frame are kept: of one that only moves data its headers, and
// nothing of one in the middle of an operation, unless it is the first of it that came: of that a
// finding may be told some frames later.
func kept(s *Step, v *dissect.FrameView) int {
	data, most := v.Frame.Data, otherBytes
	if s.position == rocev2.PositionMiddle && (s.kind == kindWrite || s.kind == kindReadData) && !v.Faulty() && s.note != flow.LostOnWire {
		return 0
	}
	if s.kind == kindWrite || s.kind == kindReadData || s.kind == kindTCP || v.IB == nil && !v.Verdict.Faulty && v.Message == nil && len(data) > 1024 {
		most = dataBytes
	}
	return min(len(data), most)
}

// describe gives a step words of its own.
func (s *Step) describe(text string) {
	if text != "" {
		s.more = &more{text: text}
	}
}

// fromPacket fills in what a packet of InfiniBand does.
func fromPacket(s *Step, v *dissect.FrameView) {
	p := v.IB
	s.psn, s.position, s.length = p.PSN, p.OpCode.Position(), uint32(max(0, p.PayloadLength()))
	if p.RETH() != 0 {
		s.handle, s.offset = p.RKey(), p.VA()
	}
	switch p.OpCode.Kind() {
	case rocev2.KindSend:
		s.kind = kindSend
		if p.OpCode.HasInv() {
			s.kind = kindSendInv
			s.handle = p.InvRKey()
		}
		if p.DETH() != 0 && rocev2.IsCM(p.DestQP, p.QKey()) {
			s.kind = kindCM
			s.describe(string(rocev2.AppendCMSummary(nil, p.Payload())))
		}
	case rocev2.KindWrite:
		s.kind = kindWrite
	case rocev2.KindReadRequest:
		s.kind = kindReadRequest
		if p.RETH() != 0 {
			s.length = p.DMALen()
		}
	case rocev2.KindReadResponse:
		s.kind = kindReadData
	case rocev2.KindAcknowledge, rocev2.KindAtomicAcknowledge:
		s.kind = kindACK
		if p.AETH() != 0 {
			s.syndrome = p.Syndrome()
		}
	case rocev2.KindCompareSwap, rocev2.KindFetchAdd, rocev2.KindAtomicWrite:
		s.kind = kindAtomic
		if p.Atomic() != 0 {
			s.handle, s.offset = p.RKey(), p.VA()
		}
	default:
		s.describe(p.OpCode.String())
	}
}

// fromUnit fills in what a unit of iWARP does.
func fromUnit(s *Step, v *dissect.FrameView, u *flow.Unit) {
	if u.At >= 0 {
		s.unit = uint32(v.Link.TCPData() + u.At)
		s.unitTo = s.unit + uint32(len(u.Raw()))
	}
	if u.IsStart {
		s.kind = kindMPA
		s.describe(string(iwarp.AppendStartSummary(nil, &u.Start)))
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
		s.describe(u.Fault)
	case p.OpCode.IsSend():
		s.kind = kindSend
		if p.OpCode.Invalidates() {
			s.kind, s.handle = kindSendInv, p.Invalidate
		}
	case p.OpCode == iwarp.OpWrite:
		s.kind = kindWrite
	case p.OpCode == iwarp.OpReadRequest:
		s.kind = kindReadRequest
		if r, ok := p.ReadRequest(); ok {
			s.handle, s.offset, s.length = r.SourceSTag, r.SourceTO, r.Size
		}
	case p.OpCode == iwarp.OpReadResponse:
		s.kind = kindReadData
		s.handle, s.offset = 0, 0 // those of the requester's own memory
	case p.OpCode == iwarp.OpAtomicRequest:
		s.kind = kindAtomic
	case p.OpCode == iwarp.OpTerminate:
		s.kind = kindTerminate
		s.describe(string(iwarp.AppendPDUSummary(nil, p)))
	default:
		s.describe(string(iwarp.AppendPDUSummary(nil, p)))
	}
}
