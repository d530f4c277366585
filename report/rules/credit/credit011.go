package credit

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func credit011() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.OneDirection), rules.LikelyIf(rules.Lossy, rules.Disordered)},
		Needs:       []rules.Knowledge{accounts()},
		On:          []rules.Event{onEvent(inBoth*ofCalls, event011), rules.OnEnd(end011)},
	}
}

// leastChanges is how often the credits of the other direction must have changed.
const leastChanges = 8

// A foreign window is what shows that an end holds to the credits of the other direction: to
// those that its peer asks for in calls of its own.
type foreign struct {
	credits uint32 // that the peer asks for now
	granted uint32 // to the end itself, when they changed
	most    int    // of its calls that were open at a time since
	// followed counts the changes after which just so many calls were open, ignored those
	// after which there were others though the two windows differ.
	followed, ignored int
	last              mark // the call of the peer that changed it last
	seen              string
}

// event011 takes a call.
func event011(a *account, e *event, _ rules.Reporter) {
	k := state.Of(a.c)
	if k.foreign == nil {
		if a.ledgerOf(e) == a.forward() {
			return // no callback so far
		}
		k.foreign = new([2]foreign)
	}
	from := e.from & 1
	own, other := &k.foreign[from], &k.foreign[from^1]
	own.most = max(own.most, len(a.requesters[from].open))
	if e.credits == other.credits || len(a.requesters[from^1].open) > 0 {
		return // of calls that are open nobody knows which window they were sent by
	}
	other.over()
	other.credits, other.granted, other.most, other.last = e.credits, a.requesters[from^1].granted, 0, e.mark()
}

// over judges the time since the last change.
func (f *foreign) over() {
	switch {
	case f.credits == 0 || f.granted == 0 || f.most == 0 || f.credits == f.granted:
	case uint32(f.most) == f.credits:
		if f.followed++; f.followed <= 4 {
			f.seen += fmt.Sprintf("%d of %d, ", f.most, f.credits)
		}
	default:
		f.ignored++
	}
}

// end011 reports an end that followed the other direction's window each time.
func end011(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil || k.foreign == nil || !c.RolesKnown || c.OneDirection() {
		return
	}
	doubt := ""
	if c.Lossy() {
		doubt = finding.DoubtLoss
	} else if c.Disordered() {
		doubt = finding.DoubtOrder
	}
	for e := range k.foreign {
		f, from := &k.foreign[e], flow.End(e)
		f.over()
		if f.followed < leastChanges || f.ignored > 0 {
			continue
		}
		letter, what, others := "a", "calls", "reverse-direction calls"
		if from != c.ClientEnd {
			letter, what, others = "b", "reverse-direction calls", "calls"
		}
		x := report.Moment(letter, f.last.Ref, f.last.Time, &from, doubt)
		if x == nil {
			continue
		}
		x.XID, x.HasXID = f.last.xid, true
		x.Messagef("the %s had as many %s open as the %s requested credits in its %s, through %d changes of that number, rather than as many as it was granted",
			c.Sender(from), what, c.Sender(from.Peer()), others, f.followed)
		x.See("changes that it followed", f.followed, 0).See(what+" open, of the credits of the other direction", f.seen+"...", nil)
		x.See("credits granted to the "+c.Sender(from), f.granted, nil).At(f.last.place)
	}
}
