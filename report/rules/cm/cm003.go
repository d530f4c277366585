package cm

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func cm003() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.BeganLate)},
		Needs:       []rules.Knowledge{known()},
		On:          []rules.Event{onHandshakeKnown(handshake003)},
	}
}

func handshake003(c *rules.Conn, b *setup.Handshake, report rules.Reporter) {
	for e := range flow.End(2) {
		if t, ok := read(c, e); ok && t.at >= 0 {
			unusual003(c, report, b, &t, e)
		}
	}
}

func unusual003(c *rules.Conn, report rules.Reporter, b *setup.Handshake, t *declared, e flow.End) {
	size := len(t.data)
	behind := t.data[min(size, t.at+rpcrdma.PrivateDataSize):]
	switch {
	case !t.whole:
		aboutEnd(report, b, "b", e).
			Messagef("the %s's private data has only %d bytes from the Format Identifier to its end", c.Sender(e), size-t.at).
			See("bytes", size-t.at, rpcrdma.PrivateDataSize).See("private data", t.shown(), nil).At(b.Bytes(e, t.at, size-t.at))
	case t.version != rpcrdma.PrivateDataVersion: // another version may have any length
	case c.IWARP() && size != rpcrdma.PrivateDataSize && t.at == 0:
		aboutEnd(report, b, "a", e).
			Messagef("the %s's private data is %d bytes long; Version 1 is exactly %d", c.Sender(e), size, rpcrdma.PrivateDataSize).
			See("bytes", size, rpcrdma.PrivateDataSize).At(b.Bytes(e, rpcrdma.PrivateDataSize, size-rpcrdma.PrivateDataSize))
	case !c.IWARP() && len(bytes.Trim(behind, "\x00")) > 0:
		n := len(bytes.TrimRight(behind, "\x00"))
		aboutEnd(report, b, "c", e).
			Messagef("nonzero bytes follow the Version 1 format in the %s's private data", c.Sender(e)).
			See("bytes after it", n, 0).At(b.Bytes(e, t.at+rpcrdma.PrivateDataSize, n))
	}
	if t.at > 0 {
		aboutEnd(report, b, "d", e).
			Messagef("the Format Identifier is at byte %d of the %s's private data", t.at, c.Sender(e)).
			See("offset of the Format Identifier", t.at, 0).At(b.Bytes(e, t.at, identifierSize))
	}
}
