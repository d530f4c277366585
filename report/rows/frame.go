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

// ofFrames are the columns of frames.
func ofFrames() []column[*dissect.FrameView] {
	number := func(name, field, title, doc string, width, when int, of func(v *dissect.FrameView) (n uint64, has bool)) column[*dissect.FrameView] {
		return column[*dissect.FrameView]{
			head: head{Column: lines.Column{Name: title, Width: width, Right: true}, name: name, field: field, doc: doc, when: when},
			write: func(t *Text, v *dissect.FrameView) {
				if n, has := of(v); has {
					t.B = strconv.AppendUint(t.B, n, 10)
				}
			},
		}
	}
	return []column[*dissect.FrameView]{
		{head: fileOfFrame()},
		{head: numberOfFrame("number of the frame in its file")},
		{head: timeOfRow("when it was captured, in the format of --time")},
		{head: sinceRow()},
		{head: connectionOfRow()},
		directionOf("destination", func(v *dissect.FrameView) (bool, bool) {
			c := v.Connection
			return c != nil && c.ToServer(v.Verdict.From), c != nil
		}),
		{
			head: head{Column: lines.Column{Name: "OpCode", Width: 28}, name: "opcode", doc: "opcode, FPDU type, TCP flags, or the protocol if it is not RDMA", narrow: 20},
			ink: func(t *Text, v *dissect.FrameView) words.Ink {
				if v.IB != nil || v.IWARP() {
					return t.Style.Name
				}
				return t.Style.Dim
			},
			write: func(t *Text, v *dissect.FrameView) { t.B = appendOpCode(t.B, v) },
		},
		number("psn", "", "PSN/Seq", "PSN, or TCP sequence number", 10, 0, psnOf),
		number("length", "frame.length", "Length", "bytes on the wire", 6, 1,
			func(v *dissect.FrameView) (uint64, bool) { return uint64(v.Frame.Length), true }),
		{
			head:  head{Column: lines.Column{Name: "QP/port", Width: 8}, name: "qp", doc: "destination queue pair, or TCP port", when: 2},
			write: func(t *Text, v *dissect.FrameView) { t.B = appendDestination(t.B, v) },
		},
		{
			head:  head{Column: lines.Column{Name: "Source → destination", Width: minPeers}, name: "peers", doc: "addresses of source and destination", when: 3, grows: true, pads: true},
			write: (*Text).addresses,
		},
		{
			head:  head{Column: lines.Column{Name: "Contents", Width: 60}, name: "contents", doc: "its headers, its payload, and notes about it"},
			write: (*Text).frameContents,
		},
	}
}

// isTCP reports whether a frame is a segment of TCP that there is something to say of.
func isTCP(v *dissect.FrameView) bool {
	return v.IWARP() || v.Link.Transport == link.TCP && v.Link.TCPData() > 0
}

// appendOpCode appends what a frame is.
func appendOpCode(b []byte, v *dissect.FrameView) []byte {
	switch {
	case v.IB != nil:
		return append(b, v.IB.OpCode.String()...)
	case isTCP(v):
		return appendSegmentName(b, v)
	}
	return append(b, v.Link.Protocol()...)
}

// psnOf is the PSN of a packet, or the sequence number of a segment.
func psnOf(v *dissect.FrameView) (n uint64, has bool) {
	switch {
	case v.IB != nil:
		return uint64(v.IB.PSN), true
	case isTCP(v):
		return uint64(v.Link.TCP.Seq), true
	}
	return 0, false
}

// appendDestination appends the queue pair or the port to which a frame goes.
func appendDestination(b []byte, v *dissect.FrameView) []byte {
	switch {
	case v.IB != nil:
		return words.AppendQPN(b, v.IB.DestQP)
	case isTCP(v):
		return strconv.AppendUint(b, uint64(v.Link.DstPort), 10)
	}
	return b
}

// addresses appends where a frame comes from and goes to.
func (t *Text) addresses(v *dissect.FrameView) {
	t.place(draft.Placeholder{What: draft.Mark})
	if v.Link.Src().IsValid() {
		t.B = v.Link.Src().AppendTo(t.B)
		t.B = append(t.B, " → "...)
		t.B = v.Link.Dst().AppendTo(t.B)
	}
	t.place(draft.Placeholder{What: draft.Addresses, Wide: v.IB != nil || v.IWARP()})
}

// frameContents appends what a frame carries, and what was noticed of it.
func (t *Text) frameContents(v *dissect.FrameView) {
	switch {
	case v.IB != nil:
		t.packet(v)
	case v.IWARP():
		t.segment(v)
	case isTCP(v):
		at := len(t.B)
		t.B = append(t.B, t.Style.Dim.On...)
		on := len(t.B)
		if t.segmentContents(v.Link); len(t.B) == on {
			t.B = t.B[:at] // no colour of nothing
		} else {
			t.B = append(t.B, t.Style.Dim.Off...)
		}
	}
	t.remarks(v)
}

// packet appends the headers of a transport packet, and what it carries.
func (t *Text) packet(v *dissect.FrameView) {
	p := v.IB
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
