package report

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// frameRow appends one frame: number, time, addresses, connection, length,
// what it is and what was noticed of it.
func (t *Text) frameRow(v *dissect.FrameView) {
	if t.rows == 0 {
		t.heading("  Frame        Time  ", "Source → destination", "Length  Contents")
	}
	t.rows++
	t.number(v.Frame.Number)
	t.time(v.Frame.Time)
	at := len(t.b)
	if v.Link.Src.IsValid() {
		t.b = v.Link.Src.AppendTo(t.b)
		t.b = append(t.b, " → "...)
		t.b = v.Link.Dst.AppendTo(t.b)
	}
	if v.Connection != nil {
		t.b = append(t.b, "  #"...)
		t.b = strconv.AppendInt(t.b, int64(v.Connection.ID), 10)
	}
	t.padPeers(at)
	t.column(uint64(v.Frame.Length), 6)
	t.b = append(t.b, "  "...)
	if v.IB == nil {
		t.b = t.style.dim.append(t.b, v.Link.Protocol)
	} else {
		t.packet(v)
	}
	t.remarks(v)
}

// packet appends what the transport packet is.
func (t *Text) packet(v *dissect.FrameView) {
	p := v.IB
	t.b = append(t.b, t.style.name.on...)
	t.b = append(t.b, p.OpCode.String()...)
	t.b = append(t.b, t.style.name.off...)
	t.b = append(t.b, "  QP "...)
	t.b = appendQPN(t.b, p.DestQP)
	t.b = append(t.b, " PSN "...)
	t.b = appendQPN(t.b, p.PSN)
	if p.RETH != 0 {
		t.b = append(t.b, "  R_Key "...)
		t.b = appendHandle(t.b, p.RKey())
		t.b = append(t.b, " VA "...)
		t.b = appendOffset(t.b, p.VA())
		t.b = append(t.b, " DMALen "...)
		t.b = strconv.AppendUint(t.b, uint64(p.DMALen()), 10)
	}
	if p.AETH != 0 {
		t.b = append(t.b, "  "...)
		s := p.Syndrome()
		if s.IsACK() {
			t.b = append(t.b, s.String()...)
		} else {
			t.b = t.style.bad.append(t.b, s.String())
		}
		t.b = append(t.b, " MSN "...)
		t.b = strconv.AppendUint(t.b, uint64(p.MSN()), 10)
	}
	if p.IETH != 0 {
		t.b = append(t.b, "  invalidates "...)
		t.b = appendHandle(t.b, p.InvRKey())
	}
	if n := p.PayloadLength(); n > 0 {
		t.b = append(t.b, "  "...)
		t.b = strconv.AppendInt(t.b, int64(n), 10)
		t.b = append(t.b, " octets"...)
	}
	if rocev2.IsCM(p.DestQP, p.QKey()) {
		t.b = append(t.b, "  "...)
		t.b = rocev2.AppendCMSummary(t.b, p.Payload())
	}
	if m := v.Message; m != nil {
		t.b = append(t.b, "  | "...)
		t.message(m)
	}
}

// remarks appends what is wrong with the frame or odd about it.
func (t *Text) remarks(v *dissect.FrameView) {
	if n := v.Verdict.Note; n != flow.InOrder {
		t.b = append(t.b, "  ["...)
		t.b = append(t.b, t.style.odd.on...)
		if n == flow.Gap && v.Verdict.Missing > 0 {
			t.b = strconv.AppendInt(t.b, int64(v.Verdict.Missing), 10)
			t.b = append(t.b, " PSNs missing before this frame"...)
		} else {
			t.b = append(t.b, n.String()...)
		}
		t.b = append(t.b, t.style.odd.off...)
		t.b = append(t.b, ']')
	}
	if v.ICRC == dissect.ICRCWrong {
		t.b = append(t.b, "  ["...)
		t.b = t.style.bad.append(t.b, "ICRC wrong")
		t.b = append(t.b, ']')
	}
	for _, f := range [...]string{v.Link.Fault.String(), ibFault(v)} {
		if f != "" {
			t.b = append(t.b, "  ["...)
			t.b = t.style.bad.append(t.b, f)
			t.b = append(t.b, ']')
		}
	}
	for _, c := range v.Frame.Comments {
		t.b = append(t.b, "  # "...)
		t.b = strconv.AppendQuote(t.b, c)
	}
}

// ibFault is the fault of the transport packet, its octet counted in the frame.
func ibFault(v *dissect.FrameView) string {
	if v.IB == nil || !v.IB.Fault.Bad() {
		return ""
	}
	f := v.IB.Fault
	f.Offset += v.Link.Start
	return f.String()
}
