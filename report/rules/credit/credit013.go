package credit

import (
	"math/bits"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func credit013() rules.Check {
	return rules.Check{
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.ManyCredits, message013)},
	}
}

// message013 looks for a grant, or a request, that no receive queue can hold.
func message013(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	h := &m.Header
	if h.Credits <= rules.MostCredits || h.Fault.Bad() || m.Role() == dissect.RoleNone {
		return
	}
	what := "requested"
	if m.Answer {
		what = "granted"
	} else {
		report = report.As(finding.Note)
	}
	f := report.Message("", m, "")
	if f == nil {
		return
	}
	f.Messagef("the %s %s %d credits, more than any receive queue can hold", c.Sender(m.From), what, h.Credits)
	f.See("rdma_credit", rules.Handle(h.Credits), "at most 65536").Word(m, rpcrdma.AtCredits)
	if swapped := bits.ReverseBytes32(h.Credits); swapped <= rules.MostCredits {
		f.Message += "; in reversed byte order it is " + strconv.FormatUint(uint64(swapped), 10)
		f.See("in reversed byte order", swapped, nil)
	}
}
