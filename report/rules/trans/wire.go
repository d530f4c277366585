package trans

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/requests"
	"github.com/rdmacap/rdmacap/rocev2"
)

// wire is what the rules of the family know together of a connection. It sees frames
// before they do, and tells them of what is out of the plain.
type wire struct {
	// refusals are nil before the first.
	refusals *refusals
	step     step
	// lost and badCRC are the counters of the connection that were seen.
	lost, badCRC int64
	over         bool // the Terminate was told of
}

// refusals are what the ends refused last.
type refusals struct {
	// naks are the last frames in which an end said that it lacks a PSN, and rnrs
	// those in which it was not ready.
	naks, rnrs [2]flow.Moment
	lacks      [2]uint32 // the PSN of the last of both
	told       refusal   // the one that is told of
}

// wireOf is the wire of a connection, for rules that need wires.
func wireOf(c *rules.Conn) *wire { return rules.Kept[wire](c, rules.KeepsTRANSWire) }

// wires sees what the rules of the family want to know.
func wires() rules.Knowledge {
	return rules.Knowledge{Keeping: rules.KeepsTRANSWire, Needs: []rules.Knowledge{requests.Knowledge()}, On: []rules.Event{rules.OnFrame(rules.Odd|rules.Refusing|rules.Segment, see)}}
}

// onRefused calls do for a NAK or an RNR NAK.
func onRefused(do func(c *rules.Conn, r *refusal, say rules.Say)) rules.Event { return rules.On(0, do) }

// onTerminated calls do for the Terminate that ended the connection.
func onTerminated(do func(c *rules.Conn, e *ending, say rules.Say)) rules.Event {
	return rules.On(0, do)
}

// odd is a frame that is not just the next one, whole and welcome.
type odd dissect.FrameView

// onOdd calls do for each frame that is odd.
func onOdd(do func(c *rules.Conn, v *dissect.FrameView, say rules.Say)) rules.Event {
	return rules.On(0, func(c *rules.Conn, v *odd, say rules.Say) { do(c, (*dissect.FrameView)(v), say) })
}

func see(c *rules.Conn, v *dissect.FrameView, _ rules.Say) {
	w := wireOf(c)
	if ib := v.IB; ib != nil {
		w.packet(c, v, ib)
	} else if c.IWARP() {
		w.segment(c, v)
	}
}

// packet takes a frame of RoCE or InfiniBand.
func (w *wire) packet(c *rules.Conn, v *dissect.FrameView, ib *rocev2.Packet) {
	note := v.Verdict.Note
	if ib.AETH() != 0 && !ib.Syndrome().IsACK() && note != flow.Duplicate && note != flow.Corrupt {
		w.refuse(c, v)
	}
	if rules.IsOdd(v) || c.LostInCapture != w.lost {
		w.tell(c, v)
	}
}

// tell tells of a frame that is odd.
func (w *wire) tell(c *rules.Conn, v *dissect.FrameView) {
	rules.Raise(c, 0, (*odd)(v))
	w.lost = c.LostInCapture
}

// refuse tells of a NAK or an RNR NAK.
func (w *wire) refuse(c *rules.Conn, v *dissect.FrameView) {
	from, all := v.Verdict.From&1, rules.Some(&w.refusals)
	r := &all.told
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
	rules.Raise(c, 0, r)
}

// segment takes a frame of TCP.
func (w *wire) segment(c *rules.Conn, v *dissect.FrameView) {
	w.step.segment(v)
	if c.Termination != nil && !w.over {
		w.over = true
		rules.Raise(c, 0, endingOf(c, v))
	}
	l := v.Link
	if v.Verdict.Note != flow.InOrder || v.Verdict.Faulty || l.ECN == rules.Congested || l.TCP.Window == 0 || l.TCP.Flags.Has(link.RST) ||
		c.BadCRC != w.badCRC || c.LostInCapture != w.lost {
		w.tell(c, v)
		w.badCRC = c.BadCRC
	}
}

// again reports whether a frame was sent again.
func again(v *dissect.FrameView) bool {
	return v.Verdict.Note == flow.Retransmission || v.Verdict.Note == flow.LostOnWire
}

// lost reports whether frames are missing from the capture, or may still come, at or
// after one. What a frame itself shows to be damaged counts as a hole too, but not
// here.
func lost(c *rules.Conn, v *dissect.FrameView, since flow.Ref) bool {
	if c.Gap() {
		return true
	}
	hole, is := c.NewestHole()
	return is && hole.Ref != rules.Ref(v) && (hole.Ref.File != since.File || hole.Ref.Number >= since.Number)
}
