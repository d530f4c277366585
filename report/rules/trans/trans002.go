package trans

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans002() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.LikelyIf(rules.BeganLate).In("b"), rules.DetailIf(rules.OneDirection, rules.Lossy, rules.LostSince)},
		Needs:       []rules.Knowledge{wires()},
		On:          []rules.Event{onOutOfOrdinary(packet002)},
	}
}

// packet002 looks for packets that are retransmitted.
func packet002(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	ib := v.IB
	if ib == nil || !again(v) || ib.OpCode.Transport() == rocev2.TransportUD {
		return
	}
	if ib.OpCode.Kind() == rocev2.KindWrite && ib.RETH() != 0 && ib.DMALen() == 0 {
		return // it asks whether the peer is alive
	}
	if wireOf(c).goesOn(v) {
		return // TRANS-022
	}
	letter := ""
	if spurious002(c, v) {
		letter = "c"
	}
	if f := report.Frame(letter, v, ""); f != nil {
		sentAgain002(c, f, v)
	}
	if v.Verdict.Note == flow.Retransmission && ib.OpCode.Kind() == rocev2.KindSend {
		compare(c, v, report)
	}
}

// An again002 is what an end sends again in one go.
type again002 struct {
	psn      uint32 // of the last packet
	time     int64
	spurious bool
}

// spurious002 reports whether a packet is retransmitted for no reason: its receiver acknowledged it,
// asked for nothing, and no time-out can have passed. What follows in the same go is like its
// first packet.
func spurious002(c *rules.Conn, v *dissect.FrameView) bool {
	from := v.Verdict.From & 1
	round := &rules.Some(&state.Of(c).rounds)[from]
	const apart = int64(10 * time.Millisecond)
	goesOn := round.time > 0 && v.Frame.Time-round.time < apart && rocev2.PSNDiff(v.IB.PSN, round.psn) > 0
	round.psn, round.time = v.IB.PSN, v.Frame.Time
	if goesOn {
		return round.spurious
	}
	round.spurious = false
	if v.Verdict.Note != flow.Retransmission || v.IB.OpCode.Kind() != rocev2.KindSend && v.IB.OpCode.Kind() != rocev2.KindWrite || c.OneDirection() {
		return false
	}
	q, t := requests.Of(c).Find(from, v.IB.PSN), setup.AckTimeout(c)
	if q == nil || t == 0 || v.Frame.Time-q.Time >= int64(t) || v.Frame.Time < q.Time || c.LostAnyOf(from^1, q.Frame) {
		return false
	}
	if r := wireOf(c).refusals; r != nil && max(r.naks[from^1].Time, r.rnrs[from^1].Time) >= q.Time {
		return false
	}
	round.spurious = c.Delivery(flow.Point{From: from, First: v.IB.PSN, Last: v.IB.PSN, Numbered: true}) == flow.Acknowledged
	return round.spurious
}

// sentAgain002 says why a packet goes again.
func sentAgain002(c *rules.Conn, f *rules.Finding, v *dissect.FrameView) {
	from := v.Verdict.From & 1
	q := (*requests.Request)(nil)
	if v.IB.OpCode.IsRequest() && v.Verdict.Note == flow.Retransmission {
		q = requests.Of(c).Find(from, v.IB.PSN) // as it was sent first, which the capture has
	}
	why, frame := wireOf(c).reason(c, v, q)
	f.Messagef("the %s retransmits PSN %d (%s), %s", c.Sender(from), v.IB.PSN, v.IB.OpCode, why)
	f.See("PSN", v.IB.PSN, nil)
	f.Path = pathOf(c)
	if early002(c, v, q) && frame.Number == 0 {
		f.Advise("Nothing shows that it was lost: nobody had requested it, and no timeout can have expired. Some adapters and Soft-RoCE send a packet twice when an acknowledgement arrives just as they check for a timeout.")
	}
	if frame.Number > 0 {
		f.With(frame)
	}
	if q == nil {
		return
	}
	f.With(q.Frame)
	f.See("time since it was sent first", finding.Nanoseconds(v.Frame.Time-q.Time), nil)
	if timeout := setup.AckTimeout(c); timeout > 0 {
		f.See("Local ACK Timeout", finding.Nanoseconds(timeout), nil)
	}
}

// early002 reports whether a Send or RDMA Write goes again sooner than after any time-out: an RDMA Read is asked for again
// as soon as its responses have a gap, without a NAK.
func early002(c *rules.Conn, v *dissect.FrameView, q *requests.Request) bool {
	t := setup.AckTimeout(c)
	return q != nil && v.IB.OpCode.Kind() != rocev2.KindReadRequest && t > 0 && v.Frame.Time-q.Time < int64(t) && !c.OneDirection() && !c.Lossy()
}

// reason is why a packet goes again that was sent first as the request q, nil if that
// is not known, and the frame that asked for it.
func (w *wire) reason(c *rules.Conn, v *dissect.FrameView, q *requests.Request) (string, flow.Ref) {
	const window = 1 << 12 // PSNs that may go again for one NAK
	peer := v.Verdict.From&1 ^ 1
	var nak, rnr flow.Moment
	lacks := uint32(0)
	if r := w.refusals; r != nil {
		nak, rnr, lacks = r.naks[peer], r.rnrs[peer], r.lacks[peer]
	}
	since, refused := int64(0), max(nak.Time, rnr.Time)
	if q != nil {
		since = q.Time
	} else if d := rocev2.PSNDiff(v.IB.PSN, lacks); d < 0 || d >= window {
		refused = 0 // of something else
	}
	switch {
	case v.IB.OpCode.IsResponse() && w.losses != nil && w.losses.unasked(c, v):
		return "although nobody requested it again", flow.Ref{}
	case v.IB.OpCode.IsResponse():
		return "because it was requested again", flow.Ref{}
	case w.refusals != nil && w.refusals.fatal[peer].n > 0:
		return "after a NAK that should have ended the connection", w.refusals.fatal[peer].last.Ref
	case refused > since && nak.Time == refused:
		return "because the receiver requested it", nak.Ref
	case refused > since:
		return "because the receiver was not ready", rnr.Ref
	}
	if x := state.Of(c).rounds; x != nil && x[v.Verdict.From&1].spurious {
		return "although it was acknowledged, and sooner than any timeout", flow.Ref{}
	}
	// What comes sooner than the time-out is not explained by it.
	if t := setup.AckTimeout(c); q != nil && t > 0 && v.Frame.Time-q.Time >= int64(t) {
		return "although nobody requested it, as after a timeout", flow.Ref{}
	}
	return "without a NAK in the capture", flow.Ref{}
}

// compare tells if a Send packet is not the one that had the PSN.
func compare(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	first := requests.Of(c).Other(c, v)
	if first == nil {
		return
	}
	doubt := ""
	if c.BeganLate() {
		doubt = finding.DoubtLate // its queue pair may serve another connection by now
	}
	f := report.Frame("b", v, doubt)
	if f == nil {
		return
	}
	f.Messagef("PSN %d of the %s is not the same packet as in frame %s", v.IB.PSN, c.Sender(v.Verdict.From), c.Capture.FrameName(first.Frame))
	f.See("opcode", v.IB.OpCode.String(), first.OpCode.String())
	f.See("bytes from BTH to ICRC", v.Link.End()-v.Link.Start(), first.Length).See("PSN", v.IB.PSN, nil).With(first.Frame)
}
