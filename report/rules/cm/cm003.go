package cm

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

func cm003() *rules.Rule {
	return &rules.Rule{
		ID: "CM-003", Title: "Private data of odd length or at an odd place",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "The private data have the Format Identifier of RPC-over-RDMA, but not as eight octets of their own: they are cut short, " +
			"something stands before or behind them, or the length is another.",
		Why: "A receiver that is strict about it ignores them and goes on with 1024 octets. One that is not may take what stands " +
			"there for something else.",
		Advice: "Let the sender give exactly the eight octets of Version 1, at the begin of its private data.",
		Reference: "RFC 8797, sections 4 and 5.2; draft-ietf-nfsv4-rpcrdma-cm-pvt-data-08, section 4.1.2; " +
			"RFC 6581, section 9",
		Gates: rules.Gates{rules.SilentIf(rules.BeganLate)},
		Limits: "What the enhanced set-up of MPA and the IP CM service put in front is not counted. Connection management fills the " +
			"rest of its field with zeros. RFC 8797 lets a receiver search for the identifier, the draft before it does not.",
		Cases: []rules.Case{
			{Letter: "a", Title: "over iWARP, not exactly eight octets", Severity: rules.Warning},
			{Letter: "b", Title: "fewer than eight octets from the identifier on", Severity: rules.Warning},
			{Letter: "c", Title: "over InfiniBand, something behind the eight octets", Severity: rules.Note},
			{Letter: "d", Title: "the identifier is not at the begin", Severity: rules.Note},
		},
		Needs: []rules.Knowledge{known()},
		On:    []rules.Event{onBothTold(told003)},
		Fires: []rules.Sample{
			{Name: "twelve octets", Over: rules.IWARP, Scene: `
				connect client=hex(f6ab0e180101030300000000) server=4096/4096
				    want CM-003a
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
			{Name: "the sizes are missing", Over: rules.IWARP, Scene: `
				connect client=hex(f6ab0e180101) server=4096/4096
				    want CM-003b
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
			{Name: "the end of the field comes too early", Over: rules.RoCE, Scene: `
				connect client="..................................................\xf6\xab\x0e\x18\x01\x01" server=4096/4096
				    want CM-003b
				    want CM-003d
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
			{Name: "something behind it", Over: rules.RoCE, Scene: `
				connect client=hex(f6ab0e1801010303000007) server=4096/4096
				    want CM-003c
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
			{Name: "something before it", Over: rules.RoCE, Scene: `
				connect client=hex(00000000f6ab0e1801010303) server=4096/4096
				    want CM-003d
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "eight octets", Scene: `
				connect client=hex(f6ab0e1801010303) server=4096/4096
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
			{Name: "without the enhanced set-up of MPA", Over: rules.IWARP, Scene: `
				connect client=4096/4096 server=4096/4096
				    mpa revision=1 plain
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
		},
	}
}

func told003(c *rules.Conn, b *setup.Handshake, say rules.Say) {
	for e := range flow.End(2) {
		if t, ok := read(c, e); ok && t.at >= 0 {
			odd003(c, say, b, &t, e)
		}
	}
}

func odd003(c *rules.Conn, say rules.Say, b *setup.Handshake, t *told, e flow.End) {
	size := len(t.data)
	behind := t.data[min(size, t.at+rpcrdma.PrivateDataSize):]
	switch {
	case !t.whole:
		if f := aboutEnd(say, b, "b", e); f != nil {
			f.Sayf("the %s's private data have %d octets from the Format Identifier on", c.Sender(e), size-t.at)
			f.See("octets", size-t.at, rpcrdma.PrivateDataSize).See("private data", t.shown(), nil).At(b.Octets(e, t.at, size-t.at))
		}
	case t.version != rpcrdma.PrivateDataVersion: // another version may have any length
	case c.IWARP() && size != rpcrdma.PrivateDataSize && t.at == 0:
		if f := aboutEnd(say, b, "a", e); f != nil {
			f.Sayf("the %s's private data have %d octets, and Version 1 has exactly %d", c.Sender(e), size, rpcrdma.PrivateDataSize)
			f.See("octets", size, rpcrdma.PrivateDataSize).At(b.Octets(e, rpcrdma.PrivateDataSize, size-rpcrdma.PrivateDataSize))
		}
	case !c.IWARP() && len(bytes.Trim(behind, "\x00")) > 0:
		if f := aboutEnd(say, b, "c", e); f != nil {
			n := len(bytes.TrimRight(behind, "\x00"))
			f.Sayf("behind the %s's private data of Version 1 stand octets that are not zero", c.Sender(e))
			f.See("octets behind", n, 0).At(b.Octets(e, t.at+rpcrdma.PrivateDataSize, n))
		}
	}
	if t.at > 0 {
		if f := aboutEnd(say, b, "d", e); f != nil {
			f.Sayf("the Format Identifier is at octet %d of the %s's private data", t.at, c.Sender(e))
			f.See("offset of the Format Identifier", t.at, 0).At(b.Octets(e, t.at, identifierSize))
		}
	}
}
