package findings

import (
	"fmt"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/words"
)

// calls prints the calls that took longest, and those that failed: what somebody felt, by name.
func (x *form) calls(e *finding.Ending) {
	var failed []*finding.OverviewRow
	for _, r := range e.Overview {
		if r.Refused {
			failed = append(failed, r)
		}
	}
	if len(e.Slow)+len(failed) == 0 {
		return
	}
	x.t.End()
	switch {
	case len(failed) == 0:
		x.heading("slowest calls")
	case len(e.Slow) == 0:
		x.heading("calls that failed")
	default:
		x.heading("slowest calls, and calls that failed")
	}
	several := e.Connections > 1
	for _, c := range e.Slow {
		name := c.Call
		if name == "" {
			name = "an RPC"
		}
		text := fmt.Sprintf("%s%s%#08x", name, words.NBSP, c.XID)
		if several {
			text += fmt.Sprintf(" of"+words.NBSP+"#%d", c.Connection)
		}
		text += fmt.Sprintf(", %s: %s of it %s", x.t.Where().Frame(c.Reply.Ref), field.AppendDuration(nil, c.Part), c.In)
		x.call(string(field.AppendDuration(nil, c.Took)), text)
	}
	for _, r := range failed {
		text := r.Worst
		if r.First.Number != 0 {
			text += ", " + x.t.Where().Frame(r.First)
		}
		if r.Connections > 1 {
			text += fmt.Sprintf(", on %d"+words.NBSP+"connections", r.Connections)
		}
		x.call(r.Severity.String(), text)
	}
}

// call prints what happened to a call behind a label.
func (x *form) call(label, text string) {
	p := lines.Paragraph{To: &x.t.Writer}
	p.Write(label, text)
}
