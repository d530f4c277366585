package report

import (
	"strconv"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/rocev2"
)

var (
	colLength = column{"Length", 6, true}
	colOpCode = column{"OpCode", 28, false}
	colDestQP = column{"QP/port", 8, false}
	colPSN    = column{"PSN/Seq", 10, true}
)

// frameRow appends one frame: number, time, connection, addresses, length,
// what it is and what was noticed of it.
func (t *Text) frameRow(v *dissect.FrameView) {
	t.place(blank{what: blankFrame, ref: v.Frame.Ref(), time: v.Frame.Time, conn: v.Connection})
	if v.Link.Src().IsValid() {
		t.b = v.Link.Src().AppendTo(t.b)
		t.b = append(t.b, " → "...)
		t.b = v.Link.Dst().AppendTo(t.b)
	}
	t.place(blank{what: blankAddresses, wide: v.IB != nil || v.IWARP()})
	t.uintCell(colLength, uint64(v.Frame.Length))
	switch {
	case v.IB != nil:
		t.packet(v)
	case v.IWARP():
		t.segment(v)
	case v.Link.Transport == link.TCP && v.Link.TCPData() > 0:
		t.foreign(v)
	default:
		t.b = t.style.dim.append(t.b, v.Link.Protocol())
	}
	t.remarks(v)
}

// frameHead appends what a row begins with: number, time, connection.
func (t *Text) frameHead(b *blank) {
	t.heading(colFrame, "Source → destination", []column{colLength, colOpCode, colDestQP, colPSN}, "Contents")
	t.frameNumber(b.ref)
	t.time(b.time)
	t.conn(b.conn)
	t.mark = len(t.b)
}

// packet appends what the transport packet is.
func (t *Text) packet(v *dissect.FrameView) {
	p := v.IB
	t.b = append(t.b, t.style.name.on...)
	t.cell(colOpCode, p.OpCode.String())
	t.b = append(t.b, t.style.name.off...)
	t.b = appendQPN(t.b, p.DestQP)
	t.b = append(t.b, gap...)
	t.uintCell(colPSN, uint64(p.PSN))
	length := len(t.b)
	if p.RETH() != 0 {
		t.b = append(t.b, "R_Key "...)
		t.b = appendHandle(t.b, p.RKey())
		t.b = append(t.b, " VA "...)
		t.b = appendOffset(t.b, p.VA())
		t.b = append(t.b, " DMALen "...)
		t.b = strconv.AppendUint(t.b, uint64(p.DMALen()), 10)
		t.b = append(t.b, gap...)
	}
	if p.Atomic() != 0 {
		t.atomic(p)
	}
	if p.AETH() != 0 {
		s := p.Syndrome()
		if s.IsACK() {
			t.b = append(t.b, s.String()...)
		} else {
			t.b = t.style.bad.append(t.b, s.String())
		}
		t.b = append(t.b, " MSN "...)
		t.b = strconv.AppendUint(t.b, uint64(p.MSN()), 10)
		t.b = append(t.b, gap...)
	}
	if p.AtomicAck() != 0 {
		t.b = append(t.b, "original "...)
		t.b = appendOffset(t.b, p.Original())
		t.b = append(t.b, gap...)
	}
	if p.ImmDt() != 0 {
		t.b = append(t.b, "immediate "...)
		t.b = appendHandle(t.b, p.Imm())
		t.b = append(t.b, gap...)
	}
	if p.IETH() != 0 {
		t.b = append(t.b, "invalidates "...)
		t.b = appendHandle(t.b, p.InvRKey())
		t.b = append(t.b, gap...)
	}
	switch m := v.Message; {
	case m != nil:
		t.messageInFrame(m)
	case rocev2.IsCM(p.DestQP, p.QKey()):
		t.b = rocev2.AppendCMSummary(t.b, p.Payload())
	case p.PayloadLength() > 0:
		t.b = appendCount(t.b, int64(p.PayloadLength()), "octet")
	case len(t.b) > length:
		t.b = t.b[:len(t.b)-len(gap)]
	}
}

// atomic appends what an atomic operation is to do, and where. FetchAdd does not
// compare, and adds what CmpSwap would store.
func (t *Text) atomic(p *rocev2.Packet) {
	t.b = append(t.b, "R_Key "...)
	t.b = appendHandle(t.b, p.RKey())
	t.b = append(t.b, " VA "...)
	t.b = appendOffset(t.b, p.VA())
	if p.OpCode.Kind() == rocev2.KindFetchAdd {
		t.b = append(t.b, " add "...)
		t.b = appendOffset(t.b, p.Swap())
	} else {
		t.b = append(t.b, " swap "...)
		t.b = appendOffset(t.b, p.Swap())
		t.b = append(t.b, " compare "...)
		t.b = appendOffset(t.b, p.Compare())
	}
	t.b = append(t.b, gap...)
}

// remarks appends what is wrong with the frame or odd about it.
func (t *Text) remarks(v *dissect.FrameView) {
	if n := v.Verdict.Note; n == flow.Gap && v.Verdict.Missing > 0 {
		t.b = append(t.b, "  ["...)
		t.b = append(t.b, t.style.odd.on...)
		unit := "octet"
		if v.IB != nil {
			unit = "PSN"
		}
		t.b = appendCount(t.b, int64(v.Verdict.Missing), unit)
		t.b = append(t.b, " missing before this frame"...)
		t.b = append(t.b, t.style.odd.off...)
		t.b = append(t.b, ']')
	} else if n != flow.InOrder {
		t.bracket(t.style.odd, n.String())
	}
	if v.ICRC() == rocev2.ICRCWrong {
		t.bracket(t.style.bad, "ICRC wrong")
	}
	for _, f := range [...]string{v.Link.Fault().String(), ibFault(v)} {
		if f != "" {
			t.bracket(t.style.bad, f)
		}
	}
	for _, c := range v.Frame.Comments() {
		t.b = append(t.b, "  # "...)
		t.b = field.AppendQuote(t.b, []byte(c))
	}
}

// ibFault is the fault of the transport packet, its octet counted in the frame.
func ibFault(v *dissect.FrameView) string {
	if v.IB == nil || !v.IB.Faulty() {
		return ""
	}
	f := v.IB.Fault()
	f.Offset += v.Link.Start()
	return f.String()
}
