package trans

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/rules"
)

func trans011() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.LostSince).In("bc").Since("the FPDU began"), rules.SilentIf(rules.Lossy).In("d")},
		On:          []rules.Event{rules.OnBegin(begin011), rules.OnFrame(rules.Starting|rules.Damaged|rules.Awaited, frame011)},
	}
}

// framing looks at the start frames and the FPDUs of a connection.
type framing struct {
	crc [2]bool // an end asked for CRCs
	has [2]bool // its start frame was seen
	// spoke says that an end sent FPDUs.
	spoke [2]bool
	// request is the sequence number after the initiator's start frame, reply that
	// of the responder's first byte; asked says that the Request was seen, and
	// answered that the first bytes of the Reply were.
	request, reply  uint32
	asked, answered bool
	badCRC          int64
	// first are the sequence numbers after the start frames, by the end that sent, while begins
	// says that what stands there was not seen; markers that the end asked for them.
	first           [2]uint32
	begins, markers [2]bool
	// revision, of TRANS-019, is that of the Request, 0 while it is not known.
	revision uint8
	// ready, of TRANS-019, is how the initiator is to begin.
	ready readiness
	// holes are those of the connection that were seen, missing those of them that
	// frames are missing for, rather than damaged.
	holes, missing int64
	settled        bool // nothing is to be learned of the start any more
}

// begin011 waits for the start of the stream.
func begin011(c *rules.Conn, _ rules.Reporter) {
	if c.IWARP() {
		state.Of(c).await(c)
	}
}

func frame011(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	if !c.IWARP() {
		return
	}
	f := rules.Some(&state.Of(c).framing)
	healthy := !v.Verdict.Faulty && c.BadCRC == f.badCRC
	if healthy {
		f.missing += c.Holes - f.holes
	}
	f.holes = c.Holes
	if f.settled && healthy {
		return
	}
	f.badCRC = c.BadCRC
	f.key(c, v, report)
	f.marker(c, v, report)
	for i := range v.Verdict.Units {
		u := &v.Verdict.Units[i]
		if u.IsStart {
			f.start(c, v, u, report)
			continue
		}
		f.turn(c, v, u, report)
		f.fpdu(c, v, u, report)
	}
	if f.spoke[0] && f.spoke[1] || c.Setup != flow.SetupMPA {
		f.settled = true
		state.Of(c).await(c)
	}
}

// turn looks whether the responder waits for the initiator's first FPDU (RFC 5044,
// section 7.1.2): it does not if it has not even received one.
func (f *framing) turn(c *rules.Conn, v *dissect.FrameView, u *flow.Unit, report rules.Reporter) {
	end := v.Verdict.From & 1
	if u.Last != rules.Ref(v) {
		end ^= 1 // it waited for this frame of its peer
	}
	f.spoke[end] = true
	if end == 0 || f.spoke[0] || !f.asked || u.Last != rules.Ref(v) || u.First != u.Last || v.Verdict.Note != flow.InOrder {
		return
	}
	if v.Link.TCP.Ack != f.request {
		return
	}
	if x := report.Key("turn").Frame("a", v, ""); x != nil {
		x.Messagef("the %s sends an FPDU before it has received one: the initiator must send first", c.Sender(end))
	}
}

// marker looks whether a stream begins with a marker, where the peer asked for them: then it is
// the four bytes before the first FPDU, and all of them are zero (RFC 5044, section 4.3).
func (f *framing) marker(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	from, at := v.Verdict.From&1, v.Link.TCPData()
	if !f.begins[from] || !f.markers[from^1] || v.Link.TCP.Seq != f.first[from] || v.Verdict.Note != flow.InOrder {
		return
	}
	const size = 4
	if end := min(v.Link.End(), len(v.Frame.Data)); at == 0 || end-at < size {
		return
	}
	f.begins[from] = false
	word := binary.BigEndian.Uint32(v.Frame.Data[at:])
	if word == 0 {
		return
	}
	if x := report.Key("left out").Frame("c", v, ""); x != nil {
		x.Messagef("the %s's stream does not begin with a marker, although the %s requested markers", c.Sender(from), c.Sender(from^1))
		x.See("first four bytes", rules.Handle(word), rules.Handle(0)).At(flow.Place{Ref: rules.Ref(v), Offset: at, Length: size})
	}
}

// fpdu looks at an FPDU.
func (f *framing) fpdu(c *rules.Conn, v *dissect.FrameView, u *flow.Unit, report rules.Reporter) {
	p := &u.FPDU
	switch {
	case f.short(c, v, u, report):
	case p.Lost:
		if f.missing > 0 || c.Gap() {
			return
		}
		if x := report.Frame("d", v, ""); x != nil {
			x.Messagef("no FPDU of the %s begins where the one before it ends", c.Sender(v.Verdict.From))
			x.See("ULPDU_Length there", p.ULPDULength, nil).See("position in the stream", p.At, nil).With(u.First)
		}
	case p.Fault.Bad():
		if lost(c, v, u.First) {
			return
		}
		if x := report.Frame("c", v, ""); x != nil {
			x.Messagef("a marker of the %s is wrong: %s", c.Sender(v.Verdict.From), p.Fault)
			x.See("position in the stream", p.At+uint64(max(p.Fault.Offset, 0)), nil).With(u.First)
			if u.At >= 0 {
				x.At(flow.Place{Ref: rules.Ref(v), Offset: v.Link.TCPData() + u.At + p.Fault.Offset, Length: 1})
			}
		}
	}
	if p.CRCState == iwarp.CRCWrong && !lost(c, v, u.First) {
		if x := report.Frame("b", v, ""); x != nil {
			x.Messagef("an FPDU of the %s has the CRC 0x%08x, but its bytes give 0x%08x", c.Sender(v.Verdict.From), p.CRC, p.Computed)
			x.See("CRC", rules.Handle(p.CRC), rules.Handle(p.Computed)).See("position in the stream", p.At, nil).With(u.First)
			if u.At >= 0 {
				x.At(flow.Place{Ref: rules.Ref(v), Offset: v.Link.TCPData() + u.At + len(p.Raw) - 4, Length: 4})
			}
		}
	}
}

// short looks at a length that leaves no room for a DDP header, at a place where an FPDU begins for sure. It reports whether
// it is one.
func (f *framing) short(c *rules.Conn, v *dissect.FrameView, u *flow.Unit, report rules.Reporter) bool {
	p := &u.FPDU
	least := p.Least
	if !p.Lost {
		least = iwarp.LeastULPDU(p.ULPDU)
	}
	if p.ULPDULength <= 0 || p.ULPDULength >= least || p.Cut != iwarp.Whole {
		return false
	}
	if f.missing > 0 {
		return true
	}
	if x := report.Frame("d", v, ""); x != nil {
		x.Messagef("the %s sends an FPDU whose ULPDU_Length is %d: a DDP header alone has %d bytes", c.Sender(v.Verdict.From), p.ULPDULength, least)
		x.See("ULPDU_Length", p.ULPDULength, nil).See("position in the stream", p.At, nil).With(u.First)
		if u.At >= 0 {
			const size = 2
			x.At(flow.Place{Ref: rules.Ref(v), Offset: v.Link.TCPData() + u.At + behindMarker(p), Length: size})
		}
	}
	return true
}

// behindMarker is where ULPDU_Length stands in an FPDU: after the marker, if it begins with one.
func behindMarker(p *iwarp.FPDU) int {
	const marker = 4
	if p.FirstMarker == 0 {
		return marker
	}
	return 0
}
