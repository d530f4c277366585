package rows

import (
	"bytes"
	"strconv"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/words"
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
		if words.Completes(v, &units[i]) {
			own++
		}
	}
	shown := 0
	for i := range units {
		u := &units[i]
		if !words.Completes(v, u) {
			continue
		}
		if shown == maxUnits {
			t.B = append(t.B, "; and "...)
			t.B = strconv.AppendInt(t.B, int64(own-shown), 10)
			t.B = append(t.B, " more"...)
			break
		}
		if shown > 0 {
			t.B = append(t.B, "; "...)
		}
		t.unit(v, u, shown == 0)
		shown++
	}
	if own == 0 {
		t.segmentContents(v.Link)
	}
	if late := len(units) - own; late > 0 {
		t.B = append(t.B, "  ["...)
		t.B = words.AppendCount(t.B, int64(late), "FPDU")
		t.B = append(t.B, " of earlier frames can be shown now]"...)
	}
}

// segmentContents appends how much a segment carries, or what it acknowledges.
func (t *Text) segmentContents(l *link.Packet) {
	switch n := l.End() - l.TCPData(); {
	case n > 0:
		t.B = words.AppendCount(t.B, int64(n), "byte")
	case l.TCP.Flags.Has(link.ACK):
		t.B = append(t.B, "Ack "...)
		t.B = strconv.AppendUint(t.B, uint64(l.TCP.Ack), 10)
	}
}

// appendSegmentName appends the name of the first unit that a frame completes, and how many
// more it does; or the TCP flags that matter.
func appendSegmentName(b []byte, v *dissect.FrameView) []byte {
	own := 0
	for i := range v.Verdict.Units {
		u := &v.Verdict.Units[i]
		if !words.Completes(v, u) {
			continue
		}
		if own == 0 {
			b = words.AppendUnitName(b, u)
		}
		own++
	}
	if own > 1 {
		b = append(b, " +"...)
		b = strconv.AppendInt(b, int64(own-1), 10)
	}
	if own > 0 {
		return b
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

// unit appends an MPA frame or FPDU; named says that its name stands before it.
func (t *Text) unit(v *dissect.FrameView, u *flow.Unit, named bool) {
	at := len(t.B)
	m := v.Message
	switch {
	case u.IsStart:
		t.B = iwarp.AppendStartSummary(t.B, &u.Start)
	case m != nil && u.PDU.OpCode.IsSend() && u.PDU.Last && m.Frame() == u.Last && last(v.Verdict.Units) == u:
		t.B = words.AppendUnitName(t.B, u)
		t.B = append(t.B, " MSN "...)
		t.B = strconv.AppendUint(t.B, uint64(u.PDU.MSN), 10)
		t.B = append(t.B, ", "...)
		t.messageInFrame(m)
	default:
		t.B = iwarp.AppendPDUSummary(t.B, &u.PDU)
	}
	if named {
		name := words.AppendUnitName(nil, u)
		if rest, ok := bytes.CutPrefix(t.B[at:], name); ok {
			t.B = append(t.B[:at], bytes.TrimLeft(rest, " :,")...)
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
		t.Bracket(t.Style.Bad, "CRC wrong")
	}
	if u.FPDU.Fault.Bad() {
		t.Bracket(t.Style.Bad, u.FPDU.Fault.String())
	}
	if u.Fault != "" {
		t.Bracket(t.Style.Bad, u.Fault)
	}
}
