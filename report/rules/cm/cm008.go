package cm

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func cm008() rules.Check {
	return rules.Check{
		On: []rules.Event{rules.OnFrame(rules.AbovePathMTU, frame008)},
	}
}

// frame008 holds a packet against the path MTU of the REQ.
func frame008(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	t := &c.Handshake.Declared[0]
	if v.IB == nil || !t.PathMTU.Known || t.PathMTU.Value == 0 || v.ICRC() == rocev2.ICRCWrong || v.Verdict.Note == flow.Stale {
		return
	}
	op := v.IB.OpCode
	if op.Kind() == rocev2.KindAcknowledge || op.Transport() == rocev2.TransportUD || v.IB.Faulty() {
		return
	}
	n := v.IB.PayloadLength()
	if n <= t.PathMTU.Value {
		return
	}
	if f := report.Frame("", v, ""); f != nil {
		f.Messagef("the %s sent %s with %d bytes of payload, but the path MTU of the connection is %d", c.Sender(v.Verdict.From), op, n, t.PathMTU.Value)
		f.See("bytes of payload", n, t.PathMTU.Value).See("PSN", v.IB.PSN, nil).At(t.Place(t.PathMTU)).With(t.Frame)
	}
}
