package trans

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans010() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.OneDirection, rules.Lossy, rules.NearEnd).Of("missing CNPs")},
		Needs:       []rules.Knowledge{wires()},
		On:          []rules.Event{onOutOfOrdinary(packet010), rules.OnEnd(end010), rules.OnRPC(0, waited010)},
		OnCapture:   []rules.CaptureEvent{rules.OnCaptureFrame(rules.Unconnected, captured010), rules.OnCaptureEnd(paused010)},
	}
}

// congestion is what shows for the packets that one end sends.
type congestion struct {
	first        flow.Moment // the first signal
	marked, cnps int64
	mark         flow.Moment // the first marked packet
	cnp          flow.Moment // the last CNP, and its ICRC, by which a mirror's copy is known
	icrc         uint32
	second       int64 // the second of the last CNP
	now, most    int   // CNPs in that, and in the worst one
	worst        flow.Moment
}

func packet010(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	from := v.Verdict.From & 1
	if v.Link.ECN == rules.Congested && v.Verdict.Note != flow.Duplicate {
		rules.Some(&state.Of(c).congested)[from].marks(v)
	}
	if v.IB != nil && v.IB.OpCode == rocev2.OpCNP {
		rules.Some(&state.Of(c).congested)[from^1].notified(v)
	}
}

func end010(c *rules.Conn, report rules.Reporter) {
	if ends := ifAny(c).congested; ends != nil {
		for end := range ends {
			ends[end].report(c, report, flow.End(end))
		}
	}
}

func (g *congestion) signal(v *dissect.FrameView) flow.Moment {
	h := rules.Moment(v)
	if g.marked+g.cnps == 0 {
		g.first = h
	}
	return h
}

func (g *congestion) marks(v *dissect.FrameView) {
	h := g.signal(v)
	if g.marked++; g.marked == 1 {
		g.mark = h
	}
}

// mirrored is how far apart, in nanoseconds, a mirror gives two copies of a frame.
const mirrored = 50_000

func (g *congestion) notified(v *dissect.FrameView) {
	if g.cnps > 0 && v.ICRC() != rocev2.ICRCUnchecked && v.IB.ICRC == g.icrc && v.Frame.Time-g.cnp.Time <= mirrored {
		return
	}
	h := g.signal(v)
	g.cnp, g.icrc = h, v.IB.ICRC
	g.cnps++
	if second := v.Frame.Time / int64(time.Second); second != g.second {
		g.second, g.now = second, 0
	}
	if g.now++; g.now > g.most {
		g.most, g.worst = g.now, h
	}
}

// report reports what showed for the packets that an end sends.
func (g *congestion) report(c *rules.Conn, report rules.Reporter, from flow.End) {
	if g.marked+g.cnps == 0 {
		return
	}
	report.Moment("", g.first.Ref, g.first.Time, &from, "").
		Messagef("%[2]d of the %[1]s's packets were marked for congestion; %[3]d CNPs asked it to slow down", c.Sender(from), g.marked, g.cnps).
		See("marked packets", g.marked, nil).See("CNPs", g.cnps, nil).See("most CNPs in a second", g.most, nil)
	const (
		soon = int64(10 * time.Millisecond) // a CNP comes long before
	)
	switch {
	case g.most > c.Capture.Config.Congestion:
		report.Moment("b", g.worst.Ref, g.worst.Time, &from, "").
			Messagef("%d CNPs in one second asked the %s to slow down", g.most, c.Sender(from)).
			See("CNPs in a second", g.most, finding.AtMost(c.Capture.Config.Congestion))
	case g.marked > 0 && g.cnps == 0 && !c.IWARP() && c.LastTime-g.mark.Time >= soon && !c.EndGuard(g.mark.Time) && !c.OneDirection() && !c.Lossy():
		report.Moment("b", g.mark.Ref, g.mark.Time, &from, "").
			Messagef("%s of the %s had a congestion mark, and no CNP came back", field.Counted(g.marked, "packet"), c.Sender(from)).
			See("marked packets", g.marked, nil).See("CNPs", 0, "1 or more")
	}
}
