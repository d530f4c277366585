package findings

import (
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/lines"
)

// calls prints the calls that took longest, and those that failed: what somebody felt, by name.
func (x *form) calls(e *finding.Ending) {
	heading, list := x.t.Where().Calls(e)
	if len(list) == 0 {
		return
	}
	x.t.End()
	x.heading(heading)
	p := lines.Paragraph{To: &x.t.Writer}
	for _, c := range list {
		p.Write(c.Label, c.Text())
	}
}
