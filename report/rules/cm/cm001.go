package cm

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

func cm001() *rules.Rule {
	return &rules.Rule{
		ID: "CM-001", Title: "Private data absent, foreign or of an unknown version",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning: "An end of an RPC-over-RDMA connection gave no private data in the set-up that the other can use: the Format Identifier " +
			"0xf6ab0e18 is nowhere in it, or the Version is not 1.",
		Why: "In version 1 the other end must go on as if the flag R were clear and both sizes were 1024 octets, which makes many messages long " +
			"and keeps remote invalidation from being used.",
		Advice: "If larger thresholds are wanted, let that end send the private data of RFC 8797. Older peers do not know it.",
		Reference: "RFC 8797, sections 4, 5.1, 5.2 and 6; draft-ietf-nfsv4-rpcrdma-cm-pvt-data-08, " +
			"sections 4.1.1 and 4.1.2",
		Gates: rules.Gates{rules.SilentIf(rules.BeganLate)},
		Limits: "Case a is a warning if the Format Identifier is there with its octets in the wrong order. Case c is about data that " +
			"are there but not valid: of an end that gave none, THRESH-001 and INV-001 tell. Where the ends agreed on version 2, " +
			"which has other ways to tell sizes, the note only says what was given.",
		Cases: []rules.Case{
			{Letter: "a", Title: "there is no Format Identifier", Severity: rules.Note},
			{Letter: "b", Title: "the Version is not 1", Severity: rules.Note,
				Advice: "Find out what the newer format means. A peer that knows only Version 1 has to ignore it."},
			{Letter: "c", Title: "the receiver uses what it must ignore", Severity: rules.Error,
				Advice: "Let the receiver check Format Identifier and Version before it takes sizes or flags out of private data."},
		},
		Needs: []rules.Knowledge{known()},
		On: []rules.Event{
			onBothTold(told001),
			rules.OnMessage(rules.AboveDefault|rules.Invalidating, message001),
			rules.OnEnd(end001),
		},
		Fires: []rules.Sample{
			{Name: "the server gave none", Scene: `
				connect client=4096/4096 server=none
				call 1 NFS3 GETATTR
				reply 1
				disconnect
				want CM-001a`},
			{Name: "the server gave none, and they go on with version 2", Scene: `
				connect version=2 client=4096/4096 server=none
				call 1 NFS3 GETATTR
				reply 1
				disconnect
				want CM-001a`},
			{Name: "the octets are in the wrong order", Scene: `
				connect client=hex(180eabf601010303) server=4096/4096
				    want CM-001a
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
			{Name: "a newer version", Scene: `
				connect client=hex(f6ab0e1802010303) server=4096/4096
				    want CM-001b
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
			{Name: "the server sends as much as a newer version says", Scene: `
				connect client=hex(f6ab0e1802010303) server=4096/4096
				    want CM-001b
				call 1 program=400100 version=1 procedure=5 raw=bytes(4)
				reply 1 raw=bytes(2000)
				    want CM-001c
				    want THRESH-001
				disconnect`},
			{Name: "the server takes a flag out of another format", Scene: `
				connect client=hex(deadbeef01010303) server=4096/4096
				    want CM-001a
				call 1 NFS3 READ count=100
				    write 0x801 100
				reply 1 data=bytes(100)
				    invalidate 0x801
				    want CM-001c
				    want INV-001a
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "both gave Version 1", Scene: `
				connect client=4096/4096,inv server=4096/4096
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
			{Name: "the set-up is not in the capture", Scene: `
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				reply 2`},
			{Name: "another protocol", Scene: `
				connect client=none server=none port=7174
				send client bytes(64)
				send server bytes(64)
				disconnect`},
		},
	}
}

// useless are private data that are not of the format.
type useless struct {
	ends    [2]told
	ignored [2]bool // they are there, but must be ignored
	notes   [2]*rules.Finding
}

func told001(c *rules.Conn, b *setup.Handshake, say rules.Say) {
	for e := range flow.End(2) {
		t, ok := read(c, e)
		if !ok || t.valid() {
			continue
		}
		k := of(c)
		if k.useless == nil {
			k.useless = new(useless)
		}
		k.useless.ends[e], k.useless.ignored[e] = t, !t.empty()
		k.useless.notes[e] = absent001(c, say, b, &t, e)
	}
}

func message001(c *rules.Conn, m *dissect.Message, say rules.Say) {
	k := ifAny(c)
	if k == nil || k.useless == nil || m.Header.Version != rpcrdma.Version1 || !k.useless.ignored[m.From.Peer()&1] || m.Whole && m.Header.Fault.Bad() {
		return
	}
	if m.Length <= rpcrdma.DefaultThreshold && !(m.HasInvalidated && m.Role() == dissect.RoleAnswer) {
		return
	}
	if f := say.Message("c", m, ""); f != nil {
		if m.Length > rpcrdma.DefaultThreshold {
			f.Sayf("the %s sent %d octets, but must ignore the private data of the %s and send at most %d",
				c.Sender(m.From), m.Length, c.Sender(m.From.Peer()), rpcrdma.DefaultThreshold)
			f.See("Send length", m.Length, rpcrdma.DefaultThreshold)
		} else {
			f.Sayf("the %s replied by Send With Invalidate, but must ignore the private data of the %s and take its flag R for clear",
				c.Sender(m.From), c.Sender(m.From.Peer()))
		}
		f.See("private data", k.useless.ends[m.From.Peer()&1].shown(), nil).With(setup.Of(c).Told[m.From.Peer()&1].Frame)
	}
}

// end001 puts right what was said of an end before version 2 was agreed on, whose limits
// the private data do not set.
func end001(c *rules.Conn, _ rules.Say) {
	k := ifAny(c)
	if n, _ := c.Negotiation(); n.Agreed != rpcrdma.Version2 || k == nil || k.useless == nil {
		return
	}
	for e := range flow.End(2) {
		if f, t := k.useless.notes[e], &k.useless.ends[e]; f != nil && t.whole {
			f.Sayf("the %s gave private data of Version %d; version 2, which the ends agreed on, does not need them", c.Sender(e), t.version)
		} else if f != nil {
			f.Sayf("the %s gave %s; version 2, which the ends agreed on, does not need any", c.Sender(e), t.what())
		}
	}
}

// absent001 says what an end gave instead of the format.
func absent001(c *rules.Conn, say rules.Say, b *setup.Handshake, t *told, e flow.End) *rules.Finding {
	if t.whole {
		f := aboutEnd(say, b, "b", e)
		if f != nil {
			f.Sayf("the %s gave private data of Version %d; the %s has to go on with 1024 octets both ways and without remote invalidation",
				c.Sender(e), t.version, c.Sender(e.Peer()))
			f.See("Version", t.version, rpcrdma.PrivateDataVersion).See("private data", t.shown(), nil)
			f.At(b.Octets(e, t.at+versionAt, 1))
		}
		return f
	}
	if t.at >= 0 {
		return nil // it is cut short: CM-003
	}
	if t.swapped() {
		say = say.As(rules.Warning)
	}
	f := aboutEnd(say, b, "a", e)
	if f != nil {
		f.Sayf("the %s gave %s; the %s has to go on with 1024 octets both ways and without remote invalidation", c.Sender(e), t.what(), c.Sender(e.Peer()))
		f.See("Format Identifier", t.shown(), "f6 ab 0e 18").At(b.Octets(e, 0, min(identifierSize, len(t.data))))
	}
	return f
}
