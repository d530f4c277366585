package xchar

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func xchar011() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.JustBegun, rules.OneDirection, rules.LostAround, rules.Disordered, rules.AnyCut, rules.NothingFollows.From(rules.Client)).In("a"),
			rules.SilentIf(rules.Unpaired).In("b"),
			rules.LikelyIf(rules.LostSince.From(rules.Requester)).In("b"),
			rules.LikelyIf(rules.Lossy, rules.BeganLate).In("ade"),
		},
		Fields: values.BackChannelFields(),
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations(), setup.ReceivedKnowledge()},
		On:     []rules.Event{onEvent(event011), rules.OnMessage(rules.OtherVersion, message011), rules.OnEnd(end011)},
	}
}

func event011(c *rules.Conn, e *event, report rules.Reporter) { contradictionsOf(c, report).event(e) }
func message011(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	contradictionsOf(c, report).message(m)
}
func end011(c *rules.Conn, report rules.Reporter) { contradictionsOf(c, report).reportEnd() }
