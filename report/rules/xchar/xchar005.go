package xchar

import (
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func xchar005() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.LikelyIf(rules.LostSince.From(rules.Requester)).Of("a response").Since("the request")},
		Speaks:      rules.Version2,
		Needs:       []rules.Knowledge{knownOperations()},
		On:          []rules.Event{onEvent(event005)},
	}
}

func event005(c *rules.Conn, e *event, report rules.Reporter) {
	switch {
	case e.op == nil || !e.op.sound:
	case e.op.kind == rpcrdma.InitXchar:
		unchanging(c, report, e)
	case e.op.kind == rpcrdma.RespXchar && e.to != nil && e.to.sound && e.to.count <= mostElements:
		disposed(c, report, e)
	}
}

// unchanging judges the subset of an INIT_XCHAR.
func unchanging(c *rules.Conn, report rules.Reporter, e *event) {
	o := e.option
	n := leastFirst.beyond(o, o.NoChange, e.op.count)
	if n < 0 {
		return
	}
	letter := "c"
	if mostFirst.beyond(o, o.NoChange, e.op.count) < 0 {
		letter = "d"
	}
	f := report.Message(letter, e.m, "")
	if f == nil {
		return
	}
	if letter == "d" {
		f.Messagef("the %s's INIT_XCHAR counts the bits of a subset from the most significant one", c.Sender(e.m.From))
	} else {
		f.Messagef("the %s's INIT_XCHAR says that characteristic %d will not change, but has only %d", c.Sender(e.m.From), n, e.op.count)
	}
	f.See("element", n, "below the count of characteristics").See("characteristics", e.op.count, nil)
	f.In(e.m, o.Start+o.NoChange.Start, (1+o.NoChange.Words)*xdr.WordSize)
}

// disposed judges the subsets of a RESP_XCHAR.
func disposed(c *rules.Conn, report rules.Reporter, e *event) {
	o, count := e.option, e.to.count
	r, ok := orderOf(o, count)
	if ok && r == leastFirst {
		return
	}
	tell := func(letter, text, name string, observed, expected any) {
		if f := report.Message(letter, e.m, c.DoubtOf(e.to.From, e.to.Ref)); f != nil {
			f.Messagef("the %s's RESP_XCHAR %s", c.Sender(e.m.From), text)
			f.See(name, observed, expected).See("characteristics requested", count, nil).With(e.to.Ref).In(e.m, o.Start, len(o.Info))
		}
	}
	if ok {
		tell("d", "counts the bits of its subsets from the most significant one", "first bit of a word", "most significant", "least significant")
		return
	}
	d := leastFirst.disposes(o, count)
	if d.twice >= 0 {
		tell("a", "has a characteristic in two subsets", "element in two subsets", d.twice, nil)
	}
	if d.nowhere >= 0 {
		tell("b", "has a requested characteristic in no subset", "characteristics in no subset", d.lacking, 0)
	}
	if d.beyond >= 0 {
		tell("c", "names a characteristic that was not requested", "element", d.beyond, "below the count of characteristics")
	}
}
