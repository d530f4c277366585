package trans

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// key looks at the bytes with which the responder begins.
func (f *framing) key(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	const key = 16 // bytes
	if !f.asked || f.answered || v.Verdict.From&1 == 0 || v.Link.TCP.Seq != f.reply || v.Verdict.Note != flow.InOrder {
		return
	}
	at := v.Link.TCPData()
	end := min(v.Link.End(), len(v.Frame.Data))
	if at == 0 || end-at < key {
		return
	}
	f.answered = true
	data := v.Frame.Data[at : at+key]
	if iwarp.LooksLikeStart(data) {
		return
	}
	if x := report.Key("key").Frame("a", v, ""); x != nil {
		x.Messagef("the %s's stream does not begin with the key of an MPA Reply", c.Sender(v.Verdict.From))
		x.See("key", fmt.Sprintf("%q", data), "MPA ID Rep Frame").At(flow.Place{Ref: rules.Ref(v), Offset: at, Length: key})
	}
}

// start looks at a start frame.
func (f *framing) start(c *rules.Conn, v *dissect.FrameView, u *flow.Unit, report rules.Reporter) {
	s := &u.Start
	end, what := flow.End(0), "MPA Request"
	if s.Reply {
		end, what = 1, "MPA Reply"
	}
	if c.Setup != flow.SetupMPA {
		return
	}
	f.has[end], f.crc[end] = true, s.CRC
	if !s.Reply && u.At >= 0 {
		f.asked = true
		f.request = v.Link.TCP.Seq + uint32(u.At) + uint32(len(s.Bytes))
		f.reply = v.Link.TCP.Ack
	}
	if f.markers[end] = s.Markers; u.At >= 0 {
		f.first[end], f.begins[end] = v.Link.TCP.Seq+uint32(u.At)+uint32(len(s.Bytes)), !s.Fault.Bad()
	}
	// What is wrong in several ways is reported for each.
	tell := func(as rules.Reporter, kind string, offset, length int) *rules.Finding {
		x := as.Key(kind).Moment("a", u.Last, v.Frame.Time, &end, "")
		if x != nil && u.At >= 0 {
			x.At(flow.Place{Ref: rules.Ref(v), Offset: v.Link.TCPData() + u.At + offset, Length: length})
		}
		return x
	}
	const (
		flags, revision, pdLength = 16, 17, 18 // offsets
		reserved, siw             = 0x0f, 0x08 // of the flags
	)
	sender := c.Sender(end)
	if s.Fault.Bad() && (s.Fault.Offset == pdLength) {
		if x := tell(report, "PD_Length", pdLength, 2); x != nil {
			x.Messagef("the %[2]s's %[1]s is malformed: %[3]s", what, sender, s.Fault)
			x.See("PD_Length", s.PDLength, "at most 512")
		}
	}
	if s.Revision != 1 && s.Revision != 2 {
		if x := tell(report, "Rev", revision, 1); x != nil {
			x.Messagef("the %[2]s's %[1]s has revision %[3]d", what, sender, s.Revision).See("Rev", s.Revision, "1 or 2")
		}
	}
	if bits := s.Flags & reserved; bits != 0 {
		as := report
		if bits == siw {
			as = as.As(finding.Note)
		}
		if x := tell(as, "reserved flags", flags, 1); x != nil {
			x.Messagef("the %[2]s's %[1]s has reserved flags: 0x%02[3]x", what, sender, bits).See("reserved flags", fmt.Sprintf("0x%02x", bits), 0)
		}
	}
	if s.Reply && s.Reject {
		if x := tell(report, "R", flags, 1); x != nil {
			x.Messagef("the %s rejects the connection", sender).See("R", 1, 0)
		}
	}
	if s.Reply && f.has[0] && !s.Reject && !f.crc[0] && !f.crc[1] {
		if x := report.Frame("e", v, ""); x != nil {
			x.Messagef("neither end requests CRCs, so the FPDUs have none").See("C", 0, nil)
		}
	}
}
