package xchar

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// leastBuffer is the inline threshold that a peer of any version may count on, in bytes.
const leastBuffer = rpcrdma.DefaultThreshold

func xchar003() rules.Check {
	return rules.Check{
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations()},
		On:     []rules.Event{onEvent(event003)},
	}
}

func event003(c *rules.Conn, e *event, report rules.Reporter) {
	if e.op == nil {
		return
	}
	w := &peculiar{c: c, say: report, e: e}
	for i := range min(len(e.option.Characteristics), mostItems) {
		w.look(i)
	}
}

// peculiar looks at the characteristics of one message.
type peculiar struct {
	c   *rules.Conn
	say rules.Reporter
	e   *event
}

func (w *peculiar) look(i int) {
	o := w.e.option
	x := &o.Characteristics[i]
	switch {
	case x.ID.Experimental():
		w.stranger("a", x)
	case x.ID.Name() == "":
		w.stranger("b", x)
	case !x.Decoded:
		return
	case x.Length > xdr.WordSize:
		if f := w.say.Key(x.ID).Message("d", w.e.m, ""); f != nil {
			f.Messagef("%v has %d bytes, %d of them after its value", x.ID, x.Length, x.Length-xdr.WordSize)
			f.See("length of xchv_data", x.Length, xdr.WordSize).In(w.e.m, o.Start+x.Start+xdr.WordSize, x.Length-xdr.WordSize)
		}
	}
	if x.ID == rpcrdma.XcharRBSIZ && (x.Value < leastBuffer || x.Value%xdr.WordSize != 0) {
		if f := w.say.Message("e", w.e.m, ""); f != nil {
			f.Messagef("the %s's %v names a receive buffer size of %d bytes", w.c.Sender(w.e.m.From), o.Type, x.Value)
			f.See("XCHAR_RBSIZ", x.Value, "a multiple of 4, at least 1024").Word(w.e.m, o.Start+x.Start)
		}
	}
	w.twice(i)
}

func (w *peculiar) stranger(letter string, x *rpcrdma.Characteristic) {
	f := w.say.Key(x.ID).Message(letter, w.e.m, "")
	if f == nil {
		return
	}
	what := "which is undefined"
	if letter == "a" {
		what = "which is experimental"
	}
	f.Messagef("the %s's %v has %v, %s, with %s", w.c.Sender(w.e.m.From), w.e.option.Type, x.ID, what, rules.Count(uint64(x.Length)))
	f.See("xchv_which", uint32(x.ID), nil)
	w.mark(f, x)
}

// twice looks whether a characteristic stands before in the message.
func (w *peculiar) twice(i int) {
	o := w.e.option
	x := &o.Characteristics[i]
	for k := range o.Characteristics[:i] {
		y := &o.Characteristics[k]
		if y.ID != x.ID {
			continue
		}
		report, how := w.say, "the same value"
		if !bytes.Equal(o.Bytes(*x), o.Bytes(*y)) {
			report, how = report.As(finding.Warning), "different values"
		}
		if f := report.Key(x.ID).Message("c", w.e.m, ""); f != nil {
			f.Messagef("the %s's %v has %v twice, with %s", w.c.Sender(w.e.m.From), o.Type, x.ID, how)
			f.See("value", string(o.AppendValue(nil, *x)), string(o.AppendValue(nil, *y)))
			w.mark(f, x)
		}
		return
	}
}

// mark marks an xcharval.
func (w *peculiar) mark(f *rules.Finding, x *rpcrdma.Characteristic) {
	f.In(w.e.m, w.e.option.Start+x.Start-xcharvalSize, xcharvalSize+x.Length)
}
