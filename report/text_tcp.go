package report

import (
	"bytes"
	"strconv"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
)

// maxUnits is how many of a frame's FPDUs its row describes; a segment before
// offload may hold dozens.
const maxUnits = 4

// segment appends what a frame of an iWARP connection is: the MPA frame or the
// FPDUs that it completes, or what TCP says where it completes none. What
// earlier frames brought, also of the other direction, and only now can be told
// is not of this frame: it is only counted.
func (t *Text) segment(v *dissect.FrameView) {
	units := v.Verdict.Units
	own := 0
	for i := range units {
		if completes(v, &units[i]) {
			own++
		}
	}
	t.segmentCells(v, t.style.name, own)
	shown := 0
	for i := range units {
		u := &units[i]
		if !completes(v, u) {
			continue
		}
		if shown == maxUnits {
			t.b = append(t.b, "; and "...)
			t.b = strconv.AppendInt(t.b, int64(own-shown), 10)
			t.b = append(t.b, " more"...)
			break
		}
		if shown > 0 {
			t.b = append(t.b, "; "...)
		}
		t.unit(v, u, shown == 0)
		shown++
	}
	if own == 0 {
		t.segmentContents(v.Link)
	}
	if late := len(units) - own; late > 0 {
		t.b = append(t.b, "  ["...)
		t.b = appendCount(t.b, int64(late), "FPDU")
		t.b = append(t.b, " of earlier frames can be told now]"...)
	}
}

// completes reports whether the frame brought the last octet of a unit.
func completes(v *dissect.FrameView, u *flow.Unit) bool {
	return u.Last == flow.Ref{File: v.Frame.File, Number: v.Frame.Number}
}

// foreign appends what a frame of TCP is that is not known to carry iWARP: of a
// handshake, whose MPA frames come later, or of something else.
func (t *Text) foreign(v *dissect.FrameView) {
	t.b = append(t.b, t.style.dim.on...)
	t.segmentCells(v, ink{}, 0)
	t.segmentContents(v.Link)
	t.b = append(t.b, t.style.dim.off...)
}

// segmentCells appends the columns of a TCP segment, which completes so many
// units.
func (t *Text) segmentCells(v *dissect.FrameView, name ink, units int) {
	at := len(t.b)
	t.b = append(t.b, name.on...)
	t.b = appendSegmentName(t.b, v)
	if units > 1 {
		t.b = append(t.b, " +"...)
		t.b = strconv.AppendInt(t.b, int64(units-1), 10)
	}
	t.end(at, colOpCode)
	t.b = append(t.b, name.off...)
	at = len(t.b)
	t.b = strconv.AppendUint(t.b, uint64(v.Link.DstPort), 10)
	t.end(at, colDestQP)
	t.uintCell(colPSN, uint64(v.Link.TCP.Seq))
}

// segmentContents appends how much a segment carries, or what it acknowledges.
func (t *Text) segmentContents(l *link.Packet) {
	switch n := l.End() - l.TCPData(); {
	case n > 0:
		t.b = appendCount(t.b, int64(n), "octet")
	case l.TCP.Flags.Has(link.ACK):
		t.b = append(t.b, "Ack "...)
		t.b = strconv.AppendUint(t.b, uint64(l.TCP.Ack), 10)
	default:
		t.b = bytes.TrimRight(t.b, gap) // nothing behind the last column
	}
}

// appendSegmentName appends the name of the first unit that a frame completes,
// or the TCP flags that matter.
func appendSegmentName(b []byte, v *dissect.FrameView) []byte {
	for i := range v.Verdict.Units {
		if u := &v.Verdict.Units[i]; completes(v, u) {
			return appendUnitName(b, u)
		}
	}
	b = append(b, "TCP "...)
	if flags := v.Link.TCP.Flags.Control(); flags != 0 {
		return flags.AppendTo(b)
	}
	if v.Link.End() > v.Link.TCPData() {
		return append(b, "segment"...)
	}
	return append(b, "ACK"...)
}

func appendUnitName(b []byte, u *flow.Unit) []byte {
	switch {
	case !u.IsStart && len(u.PDU.Octets) < 2:
		return append(b, "FPDU"...)
	case !u.IsStart:
		return append(b, u.PDU.OpCode.String()...)
	case u.Start.Reply:
		return append(b, "MPA Reply"...)
	}
	return append(b, "MPA Request"...)
}

// unit appends an MPA frame or FPDU; named says that its name stands before it.
func (t *Text) unit(v *dissect.FrameView, u *flow.Unit, named bool) {
	at := len(t.b)
	m := v.Message
	switch {
	case u.IsStart:
		t.b = iwarp.AppendStartSummary(t.b, &u.Start)
	case m != nil && u.PDU.OpCode.IsSend() && u.PDU.Last && m.Frame() == u.Last && last(v.Verdict.Units) == u:
		t.b = appendUnitName(t.b, u)
		t.b = append(t.b, " MSN "...)
		t.b = strconv.AppendUint(t.b, uint64(u.PDU.MSN), 10)
		t.b = append(t.b, ", "...)
		t.messageInFrame(m)
	default:
		t.b = iwarp.AppendPDUSummary(t.b, &u.PDU)
	}
	if named {
		name := appendUnitName(nil, u)
		if rest, ok := bytes.CutPrefix(t.b[at:], name); ok {
			t.b = append(t.b[:at], bytes.TrimLeft(rest, " :,")...)
		}
	}
	t.unitFaults(u)
}

// last is the Send that completed the frame's message: the last of them.
func last(units []flow.Unit) (found *flow.Unit) {
	for i := range units {
		if u := &units[i]; !u.IsStart && u.PDU.OpCode.IsSend() && u.PDU.Last {
			found = u
		}
	}
	return found
}

// unitFaults appends what is wrong with an FPDU beside what its summary says.
func (t *Text) unitFaults(u *flow.Unit) {
	if u.IsStart {
		return
	}
	if u.FPDU.CRCState == iwarp.CRCWrong {
		t.bracket(t.style.bad, "CRC wrong")
	}
	if u.FPDU.Fault.Bad() {
		t.bracket(t.style.bad, u.FPDU.Fault.String())
	}
	if u.Fault != "" {
		t.bracket(t.style.bad, u.Fault)
	}
}
