package xchar

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func xchar011() rules.Check {
	return rules.Check{
		Gates: rules.Gates{
			rules.SilentIf(rules.JustBegun, rules.OneDirection, rules.LostAround, rules.Disordered, rules.AnyCut, rules.Unheard.From(rules.Client)).In("a"),
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

func event011(c *rules.Conn, e *event, say rules.Say) { contradictionsOf(c, say).event(e) }
func message011(c *rules.Conn, m *dissect.Message, say rules.Say) {
	contradictionsOf(c, say).message(m)
}
func end011(c *rules.Conn, say rules.Say) { contradictionsOf(c, say).end() }
