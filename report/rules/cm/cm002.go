package cm

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

// reservedFlags are those of Version 1 that no document gives a meaning.
const reservedFlags = 0xfe

func cm002() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.BeganLate)},
		Needs:       []rules.Knowledge{known()},
		On:          []rules.Event{onHandshakeKnown(handshake002)},
	}
}

func handshake002(c *rules.Conn, b *setup.Handshake, report rules.Reporter) {
	for e := range flow.End(2) {
		t, ok := read(c, e)
		if !ok || !t.valid() || t.flags&reservedFlags == 0 {
			continue
		}
		aboutEnd(report, b, "", e).
			Messagef("the %s's private data has flags 0x%02x; only 0x01 is defined", c.Sender(e), t.flags).
			See("Flags", int(t.flags), int(t.flags&^reservedFlags)).At(b.Bytes(e, t.at+flagsAt, 1))
	}
}
