package sym

import (
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/pasts"
)

func sym006() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.BeganLate, rules.Disordered).In("b"),
			rules.SilentIf(rules.OneDirection, rules.LostSince),
			rules.SilentIf(rules.BeganLate, rules.Lossy).Of("a refused first reply"),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{leaving()},
		On:     []rules.Event{rules.OnOver(over006)},
	}
}

// over006 looks at the connections of the same hosts that were lost before.
func over006(e *rules.ConnRef, c *rules.Conn, report rules.Reporter) {
	l := leftOf(c)
	if l.open == 0 || !closed(c) {
		return
	}
	p := historySlot.Of(e.CrossConnection).pasts.Of(pasts.PeersOf(c))
	if p == nil {
		return
	}
	before := p.last
	p.last = loss{c.LastTime, l.xids, l.firstRefused(c)}
	config := e.Config()
	n := p.lost(c.LastTime, int64(config.ReconnectTime))
	p.share(p.last, n)
	if n >= config.Reconnects && p.due(c.LastTime, int64(config.ReconnectTime)) {
		if f := ended(c, report, "", ""); f != nil {
			f.Messagef("%d connections between these hosts were lost within %s, each with calls unanswered", n, rules.Duration(int64(config.ReconnectTime)))
			if len(p.common.xids) > 0 {
				f.Message += "; each time " + rules.Handles(p.common.xids) + " among them"
			}
			if p.common.refused {
				f.Message += "; the client refused the first reply on each of the connections"
			}
			f.See("losses", n, fmt.Sprintf("fewer than %d in %s", config.Reconnects, rules.Duration(int64(config.ReconnectTime))))
			l.show(c, f)
		}
	}
	if before.end == 0 || before.end > c.FirstTime || c.Disordered() || c.BeganLate() {
		return
	}
	var common []uint32
	for _, x := range l.xids {
		if slices.Contains(before.xids, x) {
			common = append(common, x)
		}
	}
	if len(common) == 0 {
		return
	}
	if f := ended(c, report, "b", ""); f != nil {
		verb := "were"
		if len(common) == 1 {
			verb = "was"
		}
		f.Messagef("%s %s unanswered when this connection and the one before were lost: %s", field.Counted(len(common), "call"), verb, rules.Handles(common))
		if before.refused && p.last.refused {
			f.Message += "; the client refused the first reply on each of them"
		}
		if len(common) == 1 {
			f.ForXID(common[0])
		}
		l.show(c, f)
	}
}
