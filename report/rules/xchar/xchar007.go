package xchar

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func xchar007() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.LikelyIf(rules.LostSince.From(rules.Requester)).Of("an answer").Since("the request")},
		Speaks:      rules.Version2,
		Needs:       []rules.Knowledge{knownOperations()},
		On:          []rules.Event{onEvent(event007)},
	}
}

// promises are the characteristics of an end that will not change, as an INIT_XCHAR says.
type promises struct {
	items []item
	frame flow.Ref
}

func event007(c *rules.Conn, e *event, report rules.Reporter) {
	ends := &state.Of(c).promises
	if e.op == nil || !e.op.sound {
		return
	}
	m, p := e.m, &ends[e.m.From&1]
	if e.op.kind == rpcrdma.InitXchar {
		p.items, p.frame = p.items[:0], m.Frame()
		e.unchanging(func(x *item) { p.items = append(p.items, *x) })
		return
	}
	if len(p.items) == 0 {
		return
	}
	doubt := ""
	if e.to != nil {
		doubt = c.DoubtOf(e.to.From, e.to.Ref)
	}
	e.each(func(_ int, x *item) {
		for i := range p.items {
			was := &p.items[i]
			if was.id != x.id || was.same(x) {
				continue
			}
			if f := report.Key(x.id).Message("", m, doubt); f != nil {
				f.Messagef("the %s's %v gives %v another value, although its INIT_XCHAR says that it will not change", c.Sender(m.From), e.op.kind, x.id)
				if x.decoded || was.decoded {
					f.See(x.id.String(), x.shown(), was.shown())
				} else {
					f.See(x.id.String(), "other bytes", "those of the INIT_XCHAR")
				}
				f.With(p.frame)
				o := e.option
				if e.op.kind == rpcrdma.UpdXchar {
					f.In(m, o.Start, xcharvalSize+o.Characteristics[0].Length)
				} else {
					f.In(m, o.Start+o.Done.Start, 4+4*o.Done.Words)
				}
			}
			return
		}
	})
}

// shown is the value of a characteristic as evidence, as far as it is remembered: a size is a number.
func (x *item) shown() any {
	switch {
	case x.decoded && x.id == rpcrdma.XcharRBSIZ:
		return x.value
	case x.decoded:
		return string(rpcrdma.AppendXcharValue(nil, x.id, x.value))
	}
	return "other bytes"
}
