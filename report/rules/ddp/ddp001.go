package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ddp001() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{readings()},
		On:          []rules.Event{rules.OnRPC(rules.WithReads, rpc001)},
	}
}

func rpc001(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	s := readingOf(c)
	b, d := s.ailing(c, r, ineligible)
	if b == nil {
		return
	}
	if f := report.Part("", r, r.Call, ""); f != nil {
		chunk := b.Reduced.Reads[d.chunk]
		f.Messagef("the %s reduced %d bytes at Position %d (%s), which are not DDP-eligible", c.Sender(r.Requester), chunk.Length, chunk.Position, d.what)
		f.See("position", chunk.Position, nil).See("reduced item", d.what, "a DDP-eligible item")
		markPosition(f, r.Call, chunk.Position)
	}
}
