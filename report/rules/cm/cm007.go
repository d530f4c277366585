package cm

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func cm007() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection, rules.Lossy).Of("a missing RTU"),
		},
		Needs: []rules.Knowledge{setup.Knowledge()},
		On:    []rules.Event{rules.OnEnd(end007)},
	}
}

func end007(c *rules.Conn, report rules.Reporter) {
	w := &ending{c: c, say: report, b: setup.Of(c)}
	w.reportEnd()
}
