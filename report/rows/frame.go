package rows

import (
	"strconv"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/words"
	"github.com/rdmacap/rdmacap/rocev2"
)

// frameRow appends one frame: number, time, connection, addresses, length,
// what it is and what was noticed of it.
func (t *Text) frameRow(v *dissect.FrameView) {
	t.place(draft.Blank{What: draft.Frame, Ref: v.Frame.Ref(), Time: v.Frame.Time, Conn: v.Connection})
	if v.Link.Src().IsValid() {
		t.B = v.Link.Src().AppendTo(t.B)
		t.B = append(t.B, " → "...)
		t.B = v.Link.Dst().AppendTo(t.B)
	}
	t.place(draft.Blank{What: draft.Addresses, Wide: v.IB != nil || v.IWARP()})
	if c := t.opts.Columns; c != nil {
		c.Frame(v)
		t.cells()
		return
	}
	t.UintCell(colLength, uint64(v.Frame.Length))
	switch {
	case v.IB != nil:
		t.packet(v)
	case v.IWARP():
		t.segment(v)
	case v.Link.Transport == link.TCP && v.Link.TCPData() > 0:
		t.foreign(v)
	default:
		t.B = t.Style.Dim.Append(t.B, v.Link.Protocol())
	}
	t.remarks(v)
}

// packet appends what the transport packet is.
func (t *Text) packet(v *dissect.FrameView) {
	p := v.IB
	t.B = append(t.B, t.Style.Name.On...)
	t.Cell(colOpCode, p.OpCode.String())
	t.B = append(t.B, t.Style.Name.Off...)
	t.B = words.AppendQPN(t.B, p.DestQP)
	t.B = append(t.B, lines.Gap...)
	t.UintCell(colPSN, uint64(p.PSN))
	length := len(t.B)
	if p.RETH() != 0 {
		t.B = append(t.B, "R_Key "...)
		t.B = words.AppendHandle(t.B, p.RKey())
		t.B = append(t.B, " VA "...)
		t.B = words.AppendOffset(t.B, p.VA())
		t.B = append(t.B, " DMALen "...)
		t.B = strconv.AppendUint(t.B, uint64(p.DMALen()), 10)
		t.B = append(t.B, lines.Gap...)
	}
	if p.Atomic() != 0 {
		t.atomic(p)
	}
	if p.AETH() != 0 {
		s := p.Syndrome()
		if s.IsACK() {
			t.B = append(t.B, s.String()...)
		} else {
			t.B = t.Style.Bad.Append(t.B, s.String())
		}
		t.B = append(t.B, " MSN "...)
		t.B = strconv.AppendUint(t.B, uint64(p.MSN()), 10)
		t.B = append(t.B, lines.Gap...)
	}
	if p.AtomicAck() != 0 {
		t.B = append(t.B, "original "...)
		t.B = words.AppendOffset(t.B, p.Original())
		t.B = append(t.B, lines.Gap...)
	}
	if p.ImmDt() != 0 {
		t.B = append(t.B, "immediate "...)
		t.B = words.AppendHandle(t.B, p.Imm())
		t.B = append(t.B, lines.Gap...)
	}
	if p.IETH() != 0 {
		t.B = append(t.B, "invalidates "...)
		t.B = words.AppendHandle(t.B, p.InvRKey())
		t.B = append(t.B, lines.Gap...)
	}
	switch m := v.Message; {
	case m != nil:
		t.messageInFrame(m)
	case rocev2.IsCM(p.DestQP, p.QKey()):
		t.B = rocev2.AppendCMSummary(t.B, p.Payload())
	case p.PayloadLength() > 0:
		t.B = words.AppendCount(t.B, int64(p.PayloadLength()), "byte")
	case len(t.B) > length:
		t.B = t.B[:len(t.B)-len(lines.Gap)]
	}
}

// atomic appends what an atomic operation is to do, and where. FetchAdd does not
// compare, and adds what CmpSwap would store.
func (t *Text) atomic(p *rocev2.Packet) {
	t.B = append(t.B, "R_Key "...)
	t.B = words.AppendHandle(t.B, p.RKey())
	t.B = append(t.B, " VA "...)
	t.B = words.AppendOffset(t.B, p.VA())
	if p.OpCode.Kind() == rocev2.KindFetchAdd {
		t.B = append(t.B, " add "...)
		t.B = words.AppendOffset(t.B, p.Swap())
	} else {
		t.B = append(t.B, " swap "...)
		t.B = words.AppendOffset(t.B, p.Swap())
		t.B = append(t.B, " compare "...)
		t.B = words.AppendOffset(t.B, p.Compare())
	}
	t.B = append(t.B, lines.Gap...)
}

// remarks appends what is wrong with the frame or odd about it.
func (t *Text) remarks(v *dissect.FrameView) {
	if n := v.Verdict.Note; n == flow.Gap && v.Verdict.Missing > 0 {
		t.B = append(t.B, "  ["...)
		t.B = append(t.B, t.Style.Odd.On...)
		unit := "byte"
		if v.IB != nil {
			unit = "PSN"
		}
		t.B = words.AppendCount(t.B, int64(v.Verdict.Missing), unit)
		t.B = append(t.B, " missing before this frame"...)
		t.B = append(t.B, t.Style.Odd.Off...)
		t.B = append(t.B, ']')
	} else if n != flow.InOrder {
		t.Bracket(t.Style.Odd, n.String())
	}
	if v.ICRC() == rocev2.ICRCWrong {
		t.Bracket(t.Style.Bad, "ICRC wrong")
	}
	for _, f := range [...]string{v.Link.Fault().String(), words.IbFault(v)} {
		if f != "" {
			t.Bracket(t.Style.Bad, f)
		}
	}
	for _, c := range v.Frame.Comments() {
		t.B = append(t.B, "  # "...)
		t.B = field.AppendQuote(t.B, []byte(c))
	}
}
