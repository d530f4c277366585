package setup

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// Ladder is the steps for a person, with the time from the first of them on.
func (b *Handshake) Ladder(c *rules.Conn) string {
	var s strings.Builder
	for i := range b.Steps {
		x := &b.Steps[i]
		switch {
		case i == flow.MaxSteps/2 && b.Left > 0:
			fmt.Fprintf(&s, "; %d more; ", b.Left)
		case i > 0:
			s.WriteString("; ")
		}
		fmt.Fprintf(&s, "%s from the %s in frame %s", x.Name, c.Sender(x.From), c.Capture.FrameName(x.Frame))
		if x.Again {
			s.WriteString(", again")
		}
		if i > 0 {
			s.WriteString(", " + rules.Duration(x.Time-b.Steps[0].Time) + " later")
		}
	}
	return s.String()
}
