package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func ddp022() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{readings()},
		On:          []rules.Event{rules.OnRPC(rules.WithReads|rules.WithWrites, rpc022)},
	}
}

func rpc022(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	s := readingOf(c)
	if b, d := s.ailing(c, r, halved); b != nil {
		report022(c, report, r, r.Call, b, d, "its Read chunk at Position "+decimal(uint64(b.Reduced.Reads[d.chunk].Position)), b.Reduced.Reads[d.chunk].Length)
	}
	m := r.Reply
	if m == nil || len(m.Header.Writes) == 0 {
		return
	}
	b := s.reply(c, r)
	if b == nil || values.Explained(b) || !b.Split || len(b.Reduced.Writes) > mostChunks {
		return
	}
	if d, ok := s.guess.halves(b); ok {
		report022(c, report, r, m, b, &d, rpcrdma.WriteChunkName(d.chunk), b.Reduced.Writes[d.chunk])
	}
}

func report022(c *rules.Conn, report rules.Reporter, r *dissect.RPC, m *dissect.Message, b *dissect.Body, d *bodyMismatch, chunk string, there uint32) {
	f := report.Part("", r, m, "")
	if f == nil {
		return
	}
	f.Messagef("the %s left %d of the %d bytes of %s inline, and %s has %d: nothing after them can be decoded as sent",
		c.Sender(m.From), d.length, d.expected, d.what, chunk, there)
	f.See("bytes inline", d.length, 0).See("bytes in the chunk", there, d.expected)
	f.Body(m, b, d.at, min(d.length, mostMarked))
}
