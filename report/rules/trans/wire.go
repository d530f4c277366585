package trans

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/sends"
	"github.com/rdmacap/rdmacap/rocev2"
)

// wire is what the rules of the family know together of a connection. It sees each
// frame before they do.
type wire struct {
	c *rules.Conn
	// asked are the last requests of each end, nil before the first and over iWARP;
	// there sends are the last Sends of both.
	asked [2]*requests
	sends *sends.Book
	// naks are the last frames in which an end said that it lacks a PSN, and rnrs
	// those in which it was not ready.
	naks, rnrs [2]flow.Moment
	lacks      [2]uint32 // the PSN of the last of both
	// life is the last packet of each end that was not sent again, right whether
	// one had a right ICRC, and spoke whether it had a Send.
	life  [2]flow.Moment
	right [2]bool
	spoke [2]bool
	step  step
	// lost and badCRC are the counters of the connection that were seen.
	lost, badCRC int64
	// Who wants to know: of a refusal, of a Terminate, and of each frame that is
	// not just the next one, whole and welcome.
	refused []func(*refusal)
	ended   []func(*ending)
	odd     []func(*dissect.FrameView)
	// repeats and format are told of each packet, once its place is known.
	repeats *repeats
	format  *format
	over    bool    // ended was told
	refusal refusal // of the frame that is told of
}

// of is the wire of a connection.
func of(c *rules.Conn) *wire { return rules.State[wire](c) }

// Hooks sees what the rules of the family want to know.
func (w *wire) Hooks(c *rules.Conn) rules.Hooks {
	w.c = c
	if c.IWARP() {
		w.sends = sends.Of(c)
		return rules.Hooks{Frame: w.segment}
	}
	return rules.Hooks{Frame: w.packet}
}

// packet takes a frame of RoCE or InfiniBand.
func (w *wire) packet(v *dissect.FrameView) {
	ib := v.IB
	if ib == nil {
		return
	}
	note, end := v.Verdict.Note, v.Verdict.From&1
	switch {
	case note == flow.Duplicate, note == flow.Corrupt:
	case ib.OpCode.Transport() == rocev2.TransportUD: // of connection management
	default:
		w.sound(v, ib, end)
	}
	if v.ICRC() == rocev2.ICRCRight {
		w.right[end] = true
	}
	if note != flow.InOrder || v.ICRC() == rocev2.ICRCWrong || v.Link.ECN == congested || ib.OpCode == rocev2.OpCNP || w.c.LostInCapture != w.lost {
		w.tell(v)
	}
	w.repeats.first(v)
	w.format.frame(v)
}

// congested is the value of the two ECN bits that says so (RFC 3168, section 5).
const congested = 3

// tell tells of a frame that is odd.
func (w *wire) tell(v *dissect.FrameView) {
	for _, tell := range w.odd {
		tell(v)
	}
	w.lost = w.c.LostInCapture
}

// sound takes a packet that the receiver takes too.
func (w *wire) sound(v *dissect.FrameView, ib *rocev2.Packet, end flow.End) {
	again := v.Verdict.Note == flow.Retransmission || v.Verdict.Note == flow.LostOnWire
	request := ib.OpCode.IsRequest()
	if !again || !request {
		w.life[end] = rules.Moment(v)
	}
	switch {
	case request:
		if v.Verdict.Note == flow.Retransmission {
			return
		}
		w.spoke[end] = w.spoke[end] || ib.OpCode.Kind() == rocev2.KindSend
		q := w.asked[end]
		if q == nil {
			q = new(requests)
			w.asked[end] = q
		}
		q.packet(v, w.c.PathMTU)
	case ib.AETH() != 0 && !ib.Syndrome().IsACK():
		w.refuse(v)
	}
}

// refuse tells of a NAK or an RNR NAK.
func (w *wire) refuse(v *dissect.FrameView) {
	from := v.Verdict.From & 1
	r := &w.refusal
	*r = refusal{v: v, from: from, syndrome: v.IB.Syndrome(), psn: v.IB.PSN}
	switch {
	case r.syndrome.IsRNR():
		w.rnrs[from], w.lacks[from] = rules.Moment(v), r.psn
	case r.syndrome == rocev2.NAKPSNSequenceError:
		w.naks[from], w.lacks[from] = rules.Moment(v), r.psn
	case !r.syndrome.IsNAK():
		return
	}
	if q := w.asked[from^1]; q != nil {
		r.request = q.find(r.psn)
	}
	for _, tell := range w.refused {
		tell(r)
	}
}

// segment takes a frame of TCP.
func (w *wire) segment(v *dissect.FrameView) {
	if !again(v) {
		w.life[v.Verdict.From&1] = rules.Moment(v)
	}
	w.step.segment(v)
	w.terminated(v)
	l := v.Link
	if v.Verdict.Note != flow.InOrder || v.Verdict.Faulty || l.ECN == congested || l.TCP.Window == 0 || l.TCP.Flags.Has(link.RST) ||
		w.c.BadCRC != w.badCRC || w.c.LostInCapture != w.lost {
		w.tell(v)
		w.badCRC = w.c.BadCRC
	}
}

// terminated looks whether a frame of TCP brought the Terminate.
func (w *wire) terminated(v *dissect.FrameView) {
	if w.c.Termination == nil || w.over {
		return
	}
	w.over = true
	e := w.ending(v)
	for _, tell := range w.ended {
		tell(&e)
	}
}

// lost reports whether frames are missing from the capture, or may still come, at or
// after one. What a frame itself shows to be damaged counts as a hole too, but not
// here.
func lost(c *rules.Conn, v *dissect.FrameView, since flow.Ref) bool {
	if c.Gap() {
		return true
	}
	return c.Holes > 0 && c.LastHole != rules.Ref(v) && (c.LastHole.File != since.File || c.LastHole.Number >= since.Number)
}
