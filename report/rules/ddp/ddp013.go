package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func ddp013() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.OneDirection, rules.LostSince.From(rules.Responder), rules.Cut), rules.LikelyIf(rules.BeganLate), rules.DetailIf(rules.JustBegun, rules.Disordered)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{memory.CheckerKnowledge()},
		On:          []rules.Event{rules.OnRPC(rules.WithWrites|rules.WithReplyChunk, rpc013)},
	}
}

func rpc013(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	j := memory.CheckerOf(c)
	if !answered(c, r) || len(r.Call.Header.Segments) == 0 {
		return
	}
	fillings(r, func(x placement) bool {
		hole, behind := x.hole()
		if hole < 0 || !x.claims(hole) || !j.Placed(r) || j.Shared(r, &x.regions[hole]) || j.Shared(r, &x.regions[behind]) {
			return false
		}
		if f := report.Part("", r, r.Reply, j.Doubt(r)); f != nil {
			g, next := &x.regions[hole], &x.regions[behind]
			filled := front(g)
			f.Messagef("the %s left %s empty from byte %d of segment %d, but wrote to segment %d after that",
				c.Sender(r.Reply.From), x.name(), filled, hole+1, behind+1)
			f.See("bytes without a hole in segment "+decimal(uint64(hole)+1), filled, g.Length)
			f.See("bytes in segment "+decimal(uint64(behind)+1), next.Seen.Len(), 0)
			x.markOffered(f, r.Call, hole)
		}
		return true
	})
}

// hole is the first segment that has bytes which were not written although some
// after them were, and the segment of these; -1 if there is none.
func (x *placement) hole() (segment, behind int) {
	segment = -1
	for i := range x.regions {
		g := &x.regions[i]
		written := len(g.Seen) > 0
		if segment >= 0 && written {
			return segment, i
		}
		if segment < 0 && front(g) < uint64(g.Length) {
			segment = i
			if written && g.Seen[len(g.Seen)-1].End > front(g) {
				return i, i
			}
		}
	}
	return -1, -1
}

// claims reports whether the reply says that bytes which were not written in a
// segment, or bytes after them, are of use. Bytes that are written and not
// returned do no harm.
func (x *placement) claims(hole int) bool {
	for i, s := range x.returned {
		if i > hole && s.Length > 0 || i == hole && uint64(s.Length) > front(&x.regions[hole]) {
			return true
		}
	}
	return false
}

// front is how many bytes of a segment, from its first on, were written.
func front(g *rpcrdma.Region) uint64 {
	if len(g.Seen) == 0 || g.Seen[0].Start > 0 {
		return 0
	}
	return g.Seen[0].End
}
