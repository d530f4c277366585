package words

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A Call is what somebody felt of a call, by name: it took long, or failed.
type Call struct {
	// Label is how long it took, or how bad it is that it failed.
	Label string
	Parts []CallPart
}

// A CallPart is a piece of what is reported of a call. It may name an RPC, a connection or a frame.
type CallPart struct {
	Text       string
	RPC        string // its XID
	Connection int
	Frame      flow.Ref
}

// Text is all that is reported of it.
func (c *Call) Text() (s string) {
	for _, p := range c.Parts {
		s += p.Text
	}
	return s
}

// Calls are those that took longest, and those that failed, under a heading: "" if there are none.
func (w Where) Calls(e *finding.Ending) (heading string, list []Call) {
	for i := range e.Slow {
		list = append(list, w.slow(&e.Slow[i], e.Connections > 1))
	}
	slow := len(list)
	for _, r := range e.Overview {
		if r.Refused {
			list = append(list, w.failed(r))
		}
	}
	switch {
	case len(list) == 0:
		return "", nil
	case len(list) == slow:
		heading = "slowest calls"
	case slow == 0:
		heading = "calls that failed"
	default:
		heading = "slowest calls, and calls that failed"
	}
	return heading, list
}

func (w Where) slow(c *finding.SlowCall, several bool) Call {
	name := c.Call
	if name == "" {
		name = "an RPC"
	}
	xid := string(AppendHandle(nil, c.XID))
	parts := []CallPart{{Text: name + NBSP}, {Text: xid, RPC: xid}}
	if several {
		parts = append(parts, CallPart{Text: " of" + NBSP}, CallPart{Text: fmt.Sprintf("#%d", c.Connection), Connection: c.Connection})
	}
	parts = append(parts, CallPart{Text: ", "}, w.framePart(c.Reply.Ref), CallPart{Text: fmt.Sprintf(": %s of it %s", field.AppendDuration(nil, c.Part), c.In)})
	return Call{string(field.AppendDuration(nil, c.Took)), parts}
}

func (w Where) failed(r *finding.OverviewRow) Call {
	parts := []CallPart{{Text: r.Worst}}
	if r.First.Number != 0 {
		parts = append(parts, CallPart{Text: ", "}, w.framePart(r.First))
	}
	if r.Connections > 1 {
		parts = append(parts, CallPart{Text: fmt.Sprintf(", on %d"+NBSP+"connections", r.Connections)})
	}
	return Call{r.Severity.String(), parts}
}

func (w Where) framePart(r flow.Ref) CallPart { return CallPart{Text: w.Frame(r), Frame: r} }
