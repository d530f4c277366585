package trans

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func trans013() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.LostSince).In("a").Since("the segment began"),
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered).Of("a response that nobody requested"),
			rules.LikelyIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered).In("b"),
		},
		Needs: []rules.Knowledge{wires()},
		On:    []rules.Event{onOutOfOrdinary(packet013), rules.OnFrame(rules.ReadingUnits|rules.Awaited, frame013)},
	}
}

// segments are the RDMA Reads of a connection.
type segments struct {
	sinks [2]*sinks  // by the end that asked
	held  [2]unnamed // by the end that answered
}

// What case b has, and case a, told apart: one must not hide the other.
type trouble uint8

const (
	sentAgain trouble = iota
	wasReset
	windowClosed
	wasChanged
	malformed
	outOfSequence
	notAsked
)

// packet013 looks at a frame that is not just the next one.
func packet013(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	if !c.IWARP() {
		return
	}
	switch v.Verdict.Note {
	case flow.Retransmission, flow.LostOnWire:
		resent(c, v, report)
	}
	switch {
	case v.Link.TCP.Flags.Has(link.RST):
		reset(c, v, report)
	case v.Link.TCP.Window == 0 && !v.Link.TCP.Flags.Has(link.SYN):
		if f := report.Key(windowClosed).Frame("b", v, ""); f != nil {
			f.Messagef("the window of the %s is closed: it accepts no more bytes for now", c.Sender(v.Verdict.From)).See("Window", 0, nil)
		}
	}
	if !v.Verdict.Faulty {
		return
	}
	for i := range v.Verdict.Units {
		if u := &v.Verdict.Units[i]; !u.IsStart && !u.FPDU.Lost {
			ddp(c, v, u, report)
		}
	}
}

// resent reports a segment that was retransmitted.
func resent(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	f := report.Key(sentAgain).Frame("b", v, "")
	if f == nil {
		return
	}
	what := ""
	if v.Verdict.Note == flow.LostOnWire {
		what = ", which were lost before they reached the capture point"
	}
	f.Messagef("the %s retransmits %d bytes from sequence number %d on%s", c.Sender(v.Verdict.From), v.Link.End()-v.Link.TCPData(), v.Link.TCP.Seq, what)
	f.See("sequence number", v.Link.TCP.Seq, nil)
	f.Path = pathOf(c)
}

// reset reports an RST that ended the connection.
func reset(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	if c.Closing != flow.Reset {
		return // it was over
	}
	if f := report.Key(wasReset).Frame("b", v, mayBeOver(c)); f != nil {
		f.Messagef("the %s resets the connection", c.Sender(v.Verdict.From))
		if n := c.Outstanding(c.ClientEnd); n > 0 {
			f.See("calls without a reply", n, 0)
		}
	}
}

// mayBeOver is the doubt that a Terminate or the end of the connection came before,
// and could not be read or is missing.
func mayBeOver(c *rules.Conn) string {
	switch {
	case c.OneDirection():
		return finding.DoubtOneWay
	case c.BeganLate():
		return finding.DoubtLate
	case c.Disordered():
		return finding.DoubtOrder
	case c.Lossy() || c.Gap():
		return finding.DoubtLoss
	}
	return ""
}

// changed013 reports a segment that its receiver drops: what is wrong in it is not its sender's doing.
func changed013(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	if f := report.Key(wasChanged).Frame("b", v, ""); f != nil {
		f.Messagef("a segment of the %s has a wrong TCP checksum: it was changed in transit, and the FPDUs that seem to be in it are not those that were sent", c.Sender(v.Verdict.From))
		f.Advise("Look at the error counters of the ports, cables and transceivers on the path, and for a device that rewrites frames.")
		f.Path = pathOf(c)
	}
}

// ddp looks at a DDP segment of a frame that has a malformed one.
func ddp(c *rules.Conn, v *dissect.FrameView, u *flow.Unit, report rules.Reporter) {
	bad := u.PDU.Fault.Bad() && u.FPDU.Cut == iwarp.Whole
	if !bad && u.Fault == "" || lost(c, v, u.First) {
		return
	}
	if wireOf(c).disturbed(v) {
		changed013(c, v, report)
		return
	}
	kind := outOfSequence
	if bad {
		kind = malformed
	}
	f := report.Key(kind).Frame("a", v, "")
	if f == nil {
		return
	}
	f.With(u.First)
	if !bad {
		f.Messagef("a DDP segment of the %s is out of sequence: %s", c.Sender(v.Verdict.From), u.Fault)
		f.See("MSN", u.PDU.MSN, nil).See("MO", u.PDU.MO, nil)
		f.At(placeIn(v, u, 10, 8))
		return
	}
	f.Messagef("a DDP segment of the %s is malformed: %s", c.Sender(v.Verdict.From), u.PDU.Fault)
	f.See("byte", u.PDU.Fault.Offset, nil).At(placeIn(v, u, u.PDU.Fault.Offset, 1))
}
