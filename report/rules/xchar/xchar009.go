package xchar

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func xchar009() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.JustBegun, rules.LostAround, rules.Disordered, rules.AnyCut), rules.SilentOrLikelyIf(rules.OneDirection),
			rules.LikelyIf(rules.Lossy, rules.BeganLate),
			rules.SilentIf(rules.NothingFollows.From(rules.Receiver)).In("ac"),
		},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations(), setup.ReceivedKnowledge(), requests.Knowledge()},
		On: []rules.Event{
			onEvent(event009),
			requests.OnRefusal(refused009),
			rules.OnMessage(rules.OtherVersion, message009),
			rules.OnEnd(end009),
		},
	}
}

func event009(c *rules.Conn, e *event, report rules.Reporter) { resizingOf(c, report).event(e) }
func message009(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	resizingOf(c, report).message(m)
}
func refused009(c *rules.Conn, r *requests.Refusal, report rules.Reporter) {
	resizingOf(c, report).refused(r.Sent, r)
}
func end009(c *rules.Conn, report rules.Reporter) { resizingOf(c, report).reportEnd() }
