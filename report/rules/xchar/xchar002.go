package xchar

import "github.com/rdmacap/rdmacap/report/rules"

func xchar002() rules.Check {
	return rules.Check{
		Gates:  rules.Gates{rules.SilentIf(rules.OneDirection, rules.LostSince.From(rules.Receiver), rules.Disordered, rules.AnyCut).Of("a missing error").Since("the operation")},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations()},
		On:     []rules.Event{onEvent(event002), rules.OnEnd(end002)},
	}
}

func event002(c *rules.Conn, e *event, say rules.Say) { reactionsOf(c, say).event(e) }
func end002(c *rules.Conn, say rules.Say)             { reactionsOf(c, say).end() }
