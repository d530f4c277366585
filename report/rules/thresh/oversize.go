package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/rocev2"
)

// oversize is a Send that is too long, as long as it is neither accepted nor refused.
type oversize struct {
	requests.Request
	limit   int
	pending bool
	// again counts how often its first packet was retransmitted, last at Frame.
	again int
	shown flow.Ref
	at    int64
	// call says that it is a call, which nobody answered.
	call bool
}

// frame looks for what shows that the Send was accepted, sent again, or the last.
func (o *oversize) frame(v *dissect.FrameView) {
	switch {
	case v.IB == nil:
	case v.Verdict.From == o.From:
		if v.Verdict.Note == flow.Retransmission && v.IB.PSN == o.First && v.IB.DestQP != 1 {
			o.again++
			o.shown, o.at = rules.Ref(v), v.Frame.Time
		}
	case v.IB.AETH() != 0 && v.IB.Syndrome().IsACK() && rocev2.PSNDiff(v.IB.PSN, o.Last) >= 0:
		o.pending = false
	}
}

// reportEnd says what the connection ended by.
func (o *oversize) reportEnd(c *rules.Conn, b *setup.Handshake, report rules.Reporter) {
	switch {
	case o.again >= endless:
		if f := report.Moment("", o.shown, o.at, &o.From, ""); f != nil {
			f.Messagef("a Send of %d bytes, where %d are allowed, was retransmitted %d times and never acknowledged", o.Length, o.limit, o.again)
			o.fill(c, f)
		}
	case o.endedFirst(c, b):
		doubt := ""
		if o.again == 0 {
			report, doubt = report.As(finding.Warning), unseen
		}
		if f := report.Moment("", b.Over.Frame, b.Over.Time, &o.From, doubt); f != nil {
			f.Messagef("the %s ended the connection (%s) before it accepted a Send of %d bytes, where %d are allowed", c.Sender(b.Over.From), b.Over.Name, o.Length, o.limit)
			o.fill(c, f)
		}
	}
}

// endedFirst reports whether the receiver ended the connection before it accepted the Send.
// Over iWARP nothing shows that but a call that is not answered, or a RST.
func (o *oversize) endedFirst(c *rules.Conn, b *setup.Handshake) bool {
	if c.IWARP() && !o.call && c.Closing != flow.Reset {
		return false
	}
	return b.Ended && b.Over.From != o.From && c.Closing != flow.Terminated &&
		b.Over.Time >= o.Time && b.Over.Time-o.Time <= int64(c.Capture.Config.Consequence)
}

func (o *oversize) fill(c *rules.Conn, f *rules.Finding) {
	f.XID, f.HasXID = o.XID, o.HasXID
	f.See("Send length", o.Length, finding.AtMost(o.limit))
	see(c, f, o.Version)
	f.With(o.Frame)
}
