package cm

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

// reservedFlags are those of Version 1 that no document gives a meaning.
const reservedFlags = 0xfe

func cm002() *rules.Rule {
	return &rules.Rule{
		ID: "CM-002", Title: "Reserved flags set in the private data",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning:  "The octet of flags in private data of Version 1 has bits set other than the flag R.",
		Why: "A later document may give these bits a meaning: peers that know it will then take the end to support what it does not. " +
			"Today's receivers ignore them.",
		Advice:    "Let the sender clear all bits but the lowest one.",
		Reference: "RFC 8797, section 4.1",
		Gates:     rules.Gates{rules.SilentIf(rules.BeganLate)},
		Needs:     []rules.Knowledge{known()},
		On:        []rules.Event{onBothTold(told002)},
		Fires: []rules.Sample{
			{Name: "a second flag", Scene: `
				connect client=hex(f6ab0e1801030303) server=4096/4096
				    want CM-002
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "only R", Scene: `
				connect client=hex(f6ab0e1801010303) server=hex(f6ab0e1801000303)
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
			{Name: "flags of another version", Scene: `
				connect client=hex(f6ab0e1802ff0303) server=4096/4096
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
		},
	}
}

func told002(c *rules.Conn, b *setup.Handshake, say rules.Say) {
	for e := range flow.End(2) {
		t, ok := read(c, e)
		if !ok || !t.valid() || t.flags&reservedFlags == 0 {
			continue
		}
		if f := aboutEnd(say, b, "", e); f != nil {
			f.Sayf("the %s's private data have the flags 0x%02x, of which only 0x01 is defined", c.Sender(e), t.flags)
			f.See("Flags", int(t.flags), int(t.flags&^reservedFlags)).At(b.Octets(e, t.at+flagsAt, 1))
		}
	}
}
