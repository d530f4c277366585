package inv

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
)

func inv004() rules.Check {
	return rules.Check{
		Needs: []rules.Knowledge{requests.Knowledge()},
		On:    []rules.Event{requests.OnRefusal(refused004)},
	}
}

func refused004(c *rules.Conn, r *requests.Refusal, report rules.Reporter) {
	s := r.Sent
	// The handle to invalidate is in the last packet.
	if !s.Invalidates || r.Termination == nil && r.PSN != s.Last {
		return
	}
	f := r.Find(report, "", "")
	if f == nil {
		return
	}
	f.Messagef("the %s refused the Send With Invalidate of handle 0x%08x in frame %s: %s", c.Sender(r.From), s.Handle, c.Capture.FrameName(s.Frame), r.Text)
	if r.Termination == nil {
		f.See("AETH syndrome", r.Syndrome.String(), "ACK").See("PSN", r.PSN, nil)
	} else {
		f.See("Terminate", r.Termination.String(), nil).See("MSN", s.Last, nil)
	}
}
