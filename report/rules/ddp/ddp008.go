package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func ddp008() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{readings()},
		On:          []rules.Event{rules.OnRPC(rules.WithReads, rpc008)},
	}
}

func rpc008(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	s := readingOf(c)
	b := s.reduced(c, r)
	if b == nil || c.ServerPrivate == nil && r.Call.Header.Version == rpcrdma.Version1 || r.Reverse() || !values.Explained(b) {
		return
	}
	for i := range b.Events {
		e := &b.Events[i]
		if e.Kind != walk.Item || e.Chunk < 0 || !e.Eligible || e.Length%4 == 0 {
			continue
		}
		chunk := b.Reduced.Reads[e.Chunk]
		if uint64(chunk.Length) != xdr.Padded(e.Length) {
			continue
		}
		if f := report.Part("", r, r.Call, ""); f != nil {
			f.Messagef("the %s's Read chunk at Position %d has %d bytes for an item of %d: the last %d are its pad",
				c.Sender(r.Requester), chunk.Position, chunk.Length, e.Length, chunk.Length-e.Length)
			f.See("length", chunk.Length, e.Length)
			h := &r.Call.Header
			for k := len(h.Reads) - 1; k >= 0; k-- {
				if h.Reads[k].Position == chunk.Position {
					f.Word(r.Call, h.ReadSegmentAt(k)+rpcrdma.SegmentLength)
					break
				}
			}
		}
		return
	}
}
