package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func ddp009() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{readings()},
		On:          []rules.Event{rules.OnRPC(rules.WithReads|rules.WithWrites, rpc009)},
	}
}

func rpc009(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	s := readingOf(c)
	if b, d := s.ailing(c, r, misaligned); b != nil {
		report009(c, report, r, r.Call, b, d)
	}
	if m := r.Reply; m != nil && len(m.Header.Writes) > 0 {
		b := s.reply(c, r)
		if b == nil || values.Explained(b) || !used(b) || len(b.Reduced.Writes) > mostChunks {
			return
		}
		if d, ok := s.guess.result(b); ok {
			report009(c, report, r, m, b, &d)
		}
	}
}

func report009(c *rules.Conn, report rules.Reporter, r *dissect.RPC, m *dissect.Message, b *dissect.Body, d *bodyMismatch) {
	f := report.Part(d.letter, r, m, "")
	if f == nil {
		return
	}
	sender := c.Sender(m.From)
	switch {
	case d.letter == "a":
		f.Messagef("the length word of %s is missing from the inline part of the %s's message", d.what, sender)
		f.See("length word", "not inline", d.expected)
	case d.letter == "b":
		f.Messagef("discriminant %d and the length word before %s are in the %s's chunk", d.expected, d.what, sender)
		f.See("discriminant", "not inline", d.expected)
	case d.length > 0:
		f.Messagef("%d extra bytes are inline at the place from which the %s removed %s", d.length, sender, d.what)
		f.See("bytes left inline", d.length, 0)
	default:
		f.Messagef("%d bytes are missing inline at the place from which the %s removed %s", d.expected, sender, d.what)
		f.See("bytes missing", d.expected, 0)
	}
	f.Body(m, b, d.at, min(max(d.length, xdr.WordSize), mostMarked))
}

// used reports whether a Write chunk came back with a length.
func used(b *dissect.Body) bool {
	for _, n := range b.Reduced.Writes {
		if n > 0 {
			return true
		}
	}
	return false
}
