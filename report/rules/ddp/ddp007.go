package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ddp007() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{readings()},
		On:          []rules.Event{rules.OnRPC(rules.WithReads, rpc007)},
	}
}

func rpc007(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	s := readingOf(c)
	b, d := s.ailing(c, r, mismatched)
	if b == nil {
		return
	}
	if f := report.Part(d.letter, r, r.Call, ""); f != nil {
		chunk := b.Reduced.Reads[d.chunk]
		f.Messagef("the %s's Read chunk at Position %d has %d bytes, but the %s has %d", c.Sender(r.Requester), chunk.Position, chunk.Length, d.what, d.expected)
		f.See("length", chunk.Length, d.expected).See("position", chunk.Position, nil)
		markLengths(f, r.Call, chunk.Position)
	}
}
