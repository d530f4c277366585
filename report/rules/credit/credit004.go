package credit

import (
	"time"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func credit004() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Disordered).Of("a grant below the number of calls in flight")},
		Needs:       []rules.Knowledge{accounts()},
		On:          []rules.Event{onEvent(ofCuts, event004)},
	}
}

func event004(a *account, e *event, report rules.Reporter) {
	l, to, halved := a.ledgerOf(e), e.from.Peer()&1, &state.Of(a.c).halved
	open, half := len(l.open), uint64(e.credits)*2 < uint64(e.formerly)
	below := uint64(e.credits) < uint64(open)
	twice := half && halved[to] != 0 && e.Time-halved[to] < int64(time.Second)
	if half {
		halved[to] = e.Time
	}
	as := report
	switch {
	case below && a.c.Disordered():
		return // the calls may have been sent after it
	case below || twice:
	case half:
		as = report.As(finding.Note)
	default:
		return
	}
	f := as.Moment("", e.frame, e.Time, &e.from, "")
	if f == nil {
		return
	}
	f.ForXID(e.xid)
	who := a.c.Sender(e.from)
	switch {
	case below:
		f.Messagef("the %s granted %s instead of %d, with %s still open", who, field.Counted(e.credits, "credit"), e.formerly, field.Counted(open, "call"))
		f.See("rdma_credit", e.credits, open)
	case twice:
		f.Messagef("the %s cut its grant from %d to %d credits, the second cut within a second", who, e.formerly, e.credits)
		f.See("rdma_credit", e.credits, e.formerly)
	default:
		f.Messagef("the %s cut its grant from %d to %d credits", who, e.formerly, e.credits)
		f.See("rdma_credit", e.credits, e.formerly)
	}
	f.See("open calls", open, nil).At(e.place)
}
