package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/span"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func ddp012() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.OneDirection, rules.LostSince.From(rules.Responder), rules.Cut), rules.LikelyIf(rules.BeganLate), rules.DetailIf(rules.JustBegun, rules.Disordered)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{memory.CheckerKnowledge()},
		On:          []rules.Event{rules.OnRPC(rules.WithWrites|rules.WithReplyChunk, rpc012)},
	}
}

// within is how many of the first n bytes are in a set.
func within(set span.Set, n uint64) (size uint64) {
	for _, s := range set {
		size += min(s.End, n) - min(s.Start, n)
	}
	return size
}

func rpc012(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	j := memory.CheckerOf(c)
	if !answered(c, r) || len(r.Call.Header.Segments) == 0 {
		return
	}
	fillings(r, func(x placement) bool {
		for i, s := range x.returned {
			g := &x.regions[i]
			if g.Seen.Covers(0, uint64(s.Length)) || !j.Placed(r) || j.Shared(r, g) {
				continue
			}
			if x.purpose == rpcrdma.ForWrite && r.LacksOnlyPad(x.index) {
				return false // DDP-011c
			}
			if f := report.Part("", r, r.Reply, j.Doubt(r)); f != nil {
				placed := within(g.Seen, uint64(s.Length))
				f.Messagef("the %s returned %d bytes for segment %d of %s, but only %d were written into it", c.Sender(r.Reply.From), s.Length, i+1, x.name(), placed)
				f.See("bytes returned", s.Length, placed).See("handle", rules.Handle(s.Handle), nil)
				f.Word(r.Reply, r.Reply.Header.SegmentAt(x.first+i)+rpcrdma.SegmentLength)
			}
			return true
		}
		return false
	})
}
