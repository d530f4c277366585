package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans014() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.LikelyIf(rules.BeganLate)},
		On:          []rules.Event{rules.OnFrame(rules.Acknowledging, frame014)},
	}
}

// jump is by how many requests an MSN may be ahead of what the PSNs allow.
const jump = 8

// An acknowledged is the ACK of the highest PSN that an end sent.
type acknowledged struct {
	psn, msn uint32
	known    bool
}

// frame014 holds an ACK against the one before it.
func frame014(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	ib := v.IB
	if ib == nil || ib.OpCode.Kind() != rocev2.KindAcknowledge || ib.AETH() == 0 || !ib.Syndrome().IsACK() || v.Verdict.Note != flow.InOrder ||
		ib.Check == rocev2.ICRCWrong {
		return
	}
	from := v.Verdict.From & 1
	x := &rules.Some(&state.Of(c).acks)[from]
	psn, msn := ib.PSN, ib.MSN()
	ahead := rocev2.PSNDiff(psn, x.psn)
	if x.known && ahead <= 0 {
		return
	}
	before := *x
	*x = acknowledged{psn, msn, true}
	if !before.known {
		return
	}
	n := rocev2.PSNDiff(msn, before.msn) // of 24 bits too
	if n >= 0 && n <= ahead+jump {
		return
	}
	doubt := ""
	if c.BeganLate() {
		doubt = finding.DoubtLate // its queue pair may serve another connection by now
	}
	f := report.Frame("", v, doubt)
	if f == nil {
		return
	}
	who := c.Sender(from)
	if n < 0 {
		f.Messagef("the %s acknowledges PSN %d with MSN %d after it acknowledged PSN %d with MSN %d", who, psn, msn, before.psn, before.msn)
	} else {
		f.Messagef("the %s acknowledges PSN %d with MSN %d: %d requests more than with PSN %d, %s earlier", who, psn, msn, n, before.psn, field.Counted(int64(ahead), "PSN"))
	}
	f.See("MSN", msn, nil).See("MSN before", before.msn, nil).See("PSN", psn, nil).See("PSN before", before.psn, nil)
	f.At(flow.Place{Ref: rules.Ref(v), Offset: v.Link.Start() + ib.AETH() + 1, Length: 3})
}
