package cm

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func cm007() rules.Check {
	return rules.Check{
		Gates: rules.Gates{
			rules.SilentIf(rules.OneDirection, rules.Lossy).Of("a missing RTU"),
		},
		Needs: []rules.Knowledge{setup.Knowledge()},
		On:    []rules.Event{rules.OnEnd(end007)},
	}
}

func end007(c *rules.Conn, say rules.Say) {
	w := &ending{c: c, say: say, b: setup.Of(c)}
	w.end()
}
