package xchar

import (
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func xchar001() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut)},
		Speaks:      rules.Version2,
		Needs:       []rules.Knowledge{knownOperations()},
		On:          []rules.Event{onEvent(event001)},
	}
}

func event001(c *rules.Conn, e *event, report rules.Reporter) {
	if e.op == nil || !e.op.whole || e.m.Header.Fault.Bad() {
		return
	}
	m, o := e.m, e.option
	if e.op.fault == "" {
		if o.Left > 0 {
			left(c, report, e)
		}
		return
	}
	f := report.Message(e.op.fault, m, "")
	if f == nil {
		return
	}
	at := o.Fault.Offset
	f.Messagef("the %s's %v cannot be decoded: %s", c.Sender(m.From), o.Type, o.Fault)
	word, there := xdr.WordAt(o.Info, at-o.Start)
	length := xdr.WordSize
	switch id := e.op.faulty; {
	case e.op.fault == "a":
		f.See("length of xchv_data", word, finding.AtMost(len(o.Info)-(at-o.Start)-xdr.WordSize))
	case e.op.fault == "b":
		f.See("xchv_which", id.String(), nil).See("length of xchv_data", word, xdr.WordSize)
		length += int(word)
	case e.op.fault == "c" && id != 0:
		f.See("xchv_which", id.String(), nil).See("value", word, allowed(id))
	case e.op.fault == "c":
		f.See("optuxc_pendclr", word, "0 or 1")
	case !there: // what is missing lies after the bytes
		at = atInfoLength
		f.See("length of rdma_optinfo", len(o.Info), nil)
	default:
		f.See("count", word, nil).See("bytes after it", len(o.Info)-(at-o.Start)-xdr.WordSize, nil)
	}
	f.In(m, at, length)
}

// allowed are those that a characteristic may have, for a person.
func allowed(id rpcrdma.CharacteristicID) string {
	if id == rpcrdma.XcharBRS {
		return "0 to 3"
	}
	return "0 or 1"
}

// left reports bytes after what an operation has.
func left(c *rules.Conn, report rules.Reporter, e *event) {
	f := report.As(finding.Warning).Message("d", e.m, "")
	if f == nil {
		return
	}
	o := e.option
	f.Messagef("the %s's %v has %d bytes more than the operation", c.Sender(e.m.From), o.Type, o.Left)
	f.See("length of rdma_optinfo", len(o.Info), len(o.Info)-o.Left).In(e.m, o.Start+len(o.Info)-o.Left, o.Left)
}
