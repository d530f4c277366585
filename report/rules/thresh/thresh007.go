package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

// manyNear is how many calls that would have fitted by little are worth a note.
const manyNear = 50

func thresh007() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Cut, rules.Protected),
			rules.SilentIf(rules.OneDirection, rules.LostAround.From(rules.Receiver), rules.AnyCut).Of("messages of version 2"),
			rules.LikelyIf(rules.BeganLate, rules.Lossy.From(rules.Receiver)).Of("messages of version 2"),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{setup.ReceivedKnowledge()},
		On:     []rules.Event{rules.OnRPC(rules.WithoutInline, rpc007)},
	}
}

func rpc007(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil || r.Call.Transfer != dissect.Long || !readable(c, r.Call) || c.Opaque(r) {
		return
	}
	needed := shortCall(&r.Call.Header)
	l, known := setup.ReceivedOf(c).LimitOf(r.Call)
	l, known = atLeast(c, r.Call.Header.Version, l, known)
	if !known || needed > uint64(l.Bytes) {
		return
	}
	if uint64(l.Bytes)-needed <= uint64(max(0, c.Capture.Config.LongMargin)) {
		k := state.Of(c)
		if k.near++; k.near < manyNear {
			return
		}
	}
	if f := report.Part("", r, r.Call, l.Doubt); f != nil {
		f.Messagef("a call that needs %d bytes inline was sent in a Position-Zero Read chunk; the threshold is %d bytes", needed, l.Bytes)
		f.See("bytes needed inline", needed, nil).See("inline threshold", l.Bytes, nil).See("margin", uint64(l.Bytes)-needed, nil)
		for i := range r.Call.Header.Reads {
			if r.Call.Header.Reads[i].Position == 0 {
				f.ReadSegment(r.Call, i)
				break
			}
		}
	}
}
