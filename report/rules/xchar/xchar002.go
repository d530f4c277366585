package xchar

import "github.com/rdmacap/rdmacap/report/rules"

func xchar002() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.OneDirection, rules.LostSince.From(rules.Receiver), rules.Disordered, rules.AnyCut).Of("a missing error").Since("the operation")},
		Speaks:      rules.Version2,
		Needs:       []rules.Knowledge{knownOperations()},
		On:          []rules.Event{onEvent(event002), rules.OnEnd(end002)},
	}
}

func event002(c *rules.Conn, e *event, report rules.Reporter) { reactionsOf(c, report).event(e) }
func end002(c *rules.Conn, report rules.Reporter)             { reactionsOf(c, report).reportEnd() }
