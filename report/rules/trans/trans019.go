package trans

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/rules"
)

func trans019() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Lossy).In("de")},
		On:          []rules.Event{rules.OnFrame(rules.Starting|rules.Awaited, frame019)},
	}
}

// frame019 holds the start frames against each other, and the first FPDU against them.
func frame019(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	if !c.IWARP() || c.Setup != flow.SetupMPA {
		return
	}
	for i := range v.Verdict.Units {
		switch u, f := &v.Verdict.Units[i], rules.Some(&state.Of(c).framing); {
		case u.IsStart && u.At >= 0 && len(u.Start.Bytes) >= iwarp.StartSize:
			start019(c, v, u, report)
		case !u.IsStart && f.ready.waits:
			f.ready.first(c, v, u, report)
		}
	}
}

func start019(c *rules.Conn, v *dissect.FrameView, u *flow.Unit, report rules.Reporter) {
	const flags, revision, enhanced = 16, 17, 20 // offsets
	s, end, what := &u.Start, flow.End(0), "MPA Request"
	if s.Reply {
		end, what = 1, "MPA Reply"
	}
	f := rules.Some(&state.Of(c).framing)
	place := func(offset int) flow.Place {
		return flow.Place{Ref: rules.Ref(v), Offset: v.Link.TCPData() + u.At + offset, Length: 1}
	}
	switch asked := f.revision; {
	case !s.Reply:
		f.revision = s.Revision
	case asked > 0 && s.Revision > asked:
		if x := report.Moment("a", u.Last, v.Frame.Time, &end, ""); x != nil {
			x.Messagef("the server answered an MPA Request of revision %d with a Reply of revision %d", asked, s.Revision)
			x.See("Rev", s.Revision, asked).At(place(revision))
		}
	}
	if s.Revision == 1 && s.Enhanced {
		if x := report.Moment("b", u.Last, v.Frame.Time, &end, ""); x != nil {
			x.Messagef("the %[2]s's %[1]s has the bit S of the enhanced setup, but revision 1", what, c.Sender(end))
			x.See("flags", fmt.Sprintf("0x%02x", s.Flags), fmt.Sprintf("0x%02x", s.Flags&^0x10)).At(place(flags))
		}
	}
	flagsAD := place(enhanced)
	flagsAD.Length = 4 // A and B before IRD, C and D before ORD
	f.ready.start(c, v, u, flagsAD, report)
}
