package trans

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func trans020() rules.Check {
	return rules.Check{
		Needs: []rules.Knowledge{wires()},
		On:    []rules.Event{onOutOfOrdinary(packet020), rules.OnEnd(end020)},
	}
}

// doubles are the frames of an end that came twice.
type doubles struct {
	n           int64
	first, last flow.Moment
}

const (
	leastDoubles = 8 // frames that come twice, and are no accident
	// mostDoubled is of how many frames of an end one at most may come twice: a mirror that takes both sides of a port
	// gives each twice.
	mostDoubled = 2
)

func packet020(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	if v.Verdict.Note != flow.Duplicate || c.Capture.Several {
		return
	}
	d := &rules.Some(&state.Of(c).doubles)[v.Verdict.From&1]
	now := rules.Moment(v)
	if d.n == 0 {
		d.first = now
	}
	d.n++
	d.last = now
}

// end020 reports an end some of whose frames came twice.
func end020(c *rules.Conn, report rules.Reporter) {
	all := ifAny(c).doubles
	if all == nil {
		return
	}
	for end := range all {
		d, sender := &all[end], flow.End(end)
		if d.n < leastDoubles || all[end^1].n*mostDoubled >= d.n || d.n*mostDoubled*2 >= c.Frames {
			continue
		}
		copies := int64(0)
		if p := pathOf(c); p != nil {
			copies = p.Ways[end].Copies
		}
		by := report
		if copies > 0 {
			by = report.As(finding.Warning) // no mirror did that
		}
		f := by.Moment("", d.first.Ref, d.first.Time, &sender, "")
		if f == nil {
			continue
		}
		f.Last, f.LastTime, f.Count = d.last.Ref, d.last.Time, d.n
		f.Messagef("%d frames of the %s appear twice, byte for byte, and hardly any of the %s", d.n, c.Sender(sender), c.Sender(sender.Peer()))
		f.See("frames that come twice", d.n, nil).See("share of all frames", fmt.Sprintf("%.1f %%", float64(d.n)*100/float64(c.Frames)), nil)
		if copies > 0 {
			f.See("others that come again though nobody asked", copies, nil)
			more := "one more arrived"
			if copies > 1 {
				more = fmt.Sprintf("%d more arrived", copies)
			}
			f.Message += "; " + more + " later than a mirror would deliver a copy"
		}
	}
}
