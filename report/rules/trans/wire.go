package trans

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/rocev2"
)

// wire is what the rules of the family know together of a connection. It sees frames
// before they do, and tells them of what is out of the plain.
type wire struct {
	// refusals are nil before the first.
	refusals *refusals
	losses   *losses // nil while nothing was retransmitted
	step     step
	// lost and badCRC are the counters of the connection that were seen.
	lost, badCRC int64
	over         bool // the Terminate was reported
	streams      streams
	// sums are nil before the first wrong ICRC; by the end that sent.
	sums *[2]wrongSums
}

// wireSlot is where each connection keeps it.
const wireSlot = rules.ConnSlot[wire](rules.KeepsTRANSWire)

// refusals are what the ends refused last.
type refusals struct {
	// naks are the last frames in which an end reported that it lacks a PSN, and rnrs
	// those in which it was not ready.
	naks, rnrs [2]flow.Moment
	lacks      [2]uint32 // the PSN of the last of both
	fatal      [2]fatal
	reported   refusal // the one that is reported
}

// wireOf is the wire of a connection, for rules that need wires.
func wireOf(c *rules.Conn) *wire { return wireSlot.Of(c) }

// wires sees what the rules of the family want to know.
func wires() rules.Knowledge {
	gates := []rules.Limitation{rules.OneDirection, rules.Lossy}
	return rules.Knowledge{Keeping: rules.KeepsTRANSWire, Needs: []rules.Knowledge{requests.Knowledge()}, Limitations: gates, On: []rules.Event{
		rules.OnFrame(rules.OutOfOrdinary|rules.Refusing|rules.Segment, see),
		rules.OnRPC(0, passed),
		rules.OnEnd(reportAtEnd),
	}}
}

// onRefused calls do for a NAK or an RNR NAK.
func onRefused(do func(c *rules.Conn, r *refusal, report rules.Reporter)) rules.Event {
	return rules.On(0, do)
}

// onTerminated calls do for the Terminate that ended the connection.
func onTerminated(do func(c *rules.Conn, e *ending, report rules.Reporter)) rules.Event {
	return rules.On(0, do)
}

// outOfOrdinary is a frame that is not just the next one, whole and welcome.
type outOfOrdinary dissect.FrameView

// onOutOfOrdinary calls do for each frame that is odd.
func onOutOfOrdinary(do func(c *rules.Conn, v *dissect.FrameView, report rules.Reporter)) rules.Event {
	return rules.On(0, func(c *rules.Conn, v *outOfOrdinary, report rules.Reporter) { do(c, (*dissect.FrameView)(v), report) })
}

func see(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	w := wireOf(c)
	if ib := v.IB; ib != nil {
		w.packet(c, v, ib)
	} else if c.IWARP() {
		w.segment(c, v)
	}
}

// passed notes, where something was lost, what had its way: a call that was answered, and the reply to it, which is
// taken with the data of both. That the reply itself arrived is not known yet.
func passed(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	w := wireSlot.IfAny(c)
	if w == nil || w.losses == nil || r.Call == nil || r.Reply == nil {
		return
	}
	data := func(size uint64, m *dissect.Message) int {
		if c.PathMTU > 0 {
			return min(max(int(min(size, 1<<20)), m.Length), c.PathMTU)
		}
		return max(int(min(size, 1<<20)), m.Length)
	}
	l, requester := w.losses, r.Requester&1
	l.Ways[requester].Passed(r.Call.First, data(r.Offer.ReadBytes, r.Call))
	if c.Delivery(r.Reply.Point) == flow.Acknowledged {
		l.Ways[requester^1].Passed(r.Call.First, data(r.Offer.WriteBytes, r.Reply))
	}
}

// packet takes a frame of RoCE or InfiniBand.
func (w *wire) packet(c *rules.Conn, v *dissect.FrameView, ib *rocev2.Packet) {
	note := v.Verdict.Note
	byRule := ib.Check == rocev2.ICRCWrong && w.wrongSum(v)
	if ib.AETH() != 0 && !ib.Syndrome().IsACK() && note != flow.Duplicate && note != flow.Corrupt {
		w.refuse(c, v)
	}
	switch {
	case ib.OpCode.Transport() == rocev2.TransportUD:
	case again(v) && w.afterFatal(v):
	case byRule:
		rules.Some(&w.losses).changed(v.Verdict.From&1, ib.PSN) // the path did nothing to it
	case again(v), note == flow.Reordered:
		rules.Some(&w.losses).note(c, v)
	case note == flow.Corrupt && c.LastSeen(v.Verdict.From).RightICRC:
		l, from := rules.Some(&w.losses), v.Verdict.From&1
		l.changed(from, ib.PSN)
		l.Ways[from].Changed++
		l.Ways[from].At(rules.Moment(v))
	}
	if rules.IsOutOfOrdinary(v) || c.LostInCapture != w.lost {
		w.report(c, v)
	}
}

// report reports a frame that is odd.
func (w *wire) report(c *rules.Conn, v *dissect.FrameView) {
	rules.Raise(c, 0, (*outOfOrdinary)(v))
	w.lost = c.LostInCapture
}

// refuse reports a NAK or an RNR NAK.
func (w *wire) refuse(c *rules.Conn, v *dissect.FrameView) {
	from, all := v.Verdict.From&1, rules.Some(&w.refusals)
	r := &all.reported
	*r = refusal{v: v, from: from, syndrome: v.IB.Syndrome(), psn: v.IB.PSN}
	switch {
	case r.syndrome.IsRNR():
		all.rnrs[from], all.lacks[from] = rules.Moment(v), r.psn
	case r.syndrome == rocev2.NAKPSNSequenceError:
		all.naks[from], all.lacks[from] = rules.Moment(v), r.psn
	case !r.syndrome.IsNAK():
		return
	}
	r.request = requests.Of(c).Find(from^1, r.psn)
	r.goesOn = all.fatal[from].refused(r)
	if r.syndrome == rocev2.NAKPSNSequenceError {
		rules.Some(&w.losses).nak(c, r)
	}
	rules.Raise(c, 0, r)
}

// segment takes a frame of TCP.
func (w *wire) segment(c *rules.Conn, v *dissect.FrameView) {
	w.step.segment(v)
	w.streams.segment(v)
	if again(v) || w.losses != nil && w.losses.awaits(v) {
		rules.Some(&w.losses).segment(c, v)
	}
	if n := v.Link.End() - v.Link.TCPData(); n > 0 && (n <= link.ShortSegment || w.losses != nil && w.losses.tcp != nil) {
		w.checkSegment(c, v)
	}
	if c.Termination != nil && !w.over {
		w.over = true
		rules.Raise(c, 0, endingOf(c, v))
	}
	l := v.Link
	if v.Verdict.Note != flow.InOrder || v.Verdict.Faulty || l.ECN == rules.Congested || l.TCP.Window == 0 || l.TCP.Flags.Has(link.RST) ||
		c.BadCRC != w.badCRC || c.LostInCapture != w.lost {
		w.report(c, v)
		w.badCRC = c.BadCRC
	}
}

// reportAtEnd reports what is only sure when the connection is over.
func reportAtEnd(c *rules.Conn, _ rules.Reporter) {
	if w := wireSlot.IfAny(c); w != nil && w.losses != nil {
		w.losses.reportLate(c)
	}
}

// pathOf is what the connection shows of its path, nil if nothing was lost or sent again.
func pathOf(c *rules.Conn) *finding.Path {
	if l := wireOf(c).losses; l != nil {
		return &l.Path
	}
	return nil
}

// again reports whether a frame was retransmitted.
func again(v *dissect.FrameView) bool {
	return v.Verdict.Note == flow.Retransmission || v.Verdict.Note == flow.LostOnWire
}

// lost reports whether frames are missing from the capture, or may still come, at or
// after one. What a frame itself shows to be damaged counts as a hole too, but not
// here.
func lost(c *rules.Conn, v *dissect.FrameView, since flow.Ref) bool {
	from := v.Verdict.From
	if c.GapOf(from) {
		return true
	}
	hole, is := c.NewestHoleOf(from)
	return is && hole.Ref != rules.Ref(v) && (hole.Ref.File != since.File || hole.Ref.Number >= since.Number)
}
