package trans

import (
	"fmt"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans016() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.OneDirection), rules.LikelyIf(rules.Lossy)},
		Needs:       []rules.Knowledge{wires()},
		On:          []rules.Event{onOutOfOrdinary(packet016), rules.OnEnd(end016)},
	}
}

// repeats are what is retransmitted on a connection.
type repeats struct {
	frames, bytes int64
	// bursts counts what is retransmitted without a pause as one, pauses those of them
	// whose sender had paused before.
	bursts, pauses int64
	first, last    flow.Moment
}

const (
	leastAgain  = 32   // frames sent again
	leastFrames = 1000 // of the connection
	mostAgain   = 1000 // of so many frames one may be sent again
	// within, in nanoseconds, is how soon after each other the frames of one burst come,
	// longPause what counts as a pause of the sender.
	within    = int64(time.Millisecond)
	longPause = int64(100 * time.Millisecond)
)

// packet016 counts what is retransmitted.
func packet016(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	if !again(v) || v.IB != nil && (v.IB.OpCode.Transport() == rocev2.TransportUD || wireOf(c).unready(v)) {
		return
	}
	r := rules.Some(&state.Of(c).repeats)
	now := rules.Moment(v)
	if r.frames == 0 {
		r.first = now
	}
	if r.frames == 0 || now.Time-r.last.Time > within {
		r.bursts++
		if carried := c.LastSeen(v.Verdict.From).Carried; carried > 0 && now.Time-carried > longPause {
			r.pauses++
		}
	}
	r.frames++
	r.bytes += int64(v.Link.End() - v.Link.Start())
	r.last = now
}

// unready reports whether a packet is retransmitted since its receiver was not ready: that is no loss.
func (w *wire) unready(v *dissect.FrameView) bool {
	r, peer := w.refusals, v.Verdict.From&1^1
	if r == nil || r.rnrs[peer].Time <= r.naks[peer].Time {
		return false
	}
	const window = 1 << 12 // PSNs that go again for one RNR NAK
	d := rocev2.PSNDiff(v.IB.PSN, r.lacks[peer])
	return d >= 0 && d < window
}

// end016 reports a connection that sent much again.
func end016(c *rules.Conn, report rules.Reporter) {
	r := ifAny(c).repeats
	if r == nil || r.frames < leastAgain || c.Frames < leastFrames || r.frames*mostAgain <= c.Frames || c.OneDirection() || c.LostInCapture > r.frames {
		return
	}
	doubt := ""
	if c.Lossy() {
		doubt = finding.DoubtLoss
	}
	f := report.Moment("", r.first.Ref, r.first.Time, nil, doubt)
	if f == nil {
		return
	}
	share := fmt.Sprintf("%.1f %%", float64(r.frames)*100/float64(c.Frames))
	f.Messagef("%d of %d frames are retransmissions (%s), in %s, of which %d follow a pause of the sender of more than %s",
		r.frames, c.Frames, share, field.Counted(r.bursts, "burst"), r.pauses, rules.Duration(longPause))
	f.See("retransmitted frames", r.frames, nil).See("share of the frames", share, "at most 0.1 %").See("bytes retransmitted", r.bytes, nil)
	f.See("NAKs", c.NAKs, nil).See("bursts", r.bursts, nil).See("bursts after a pause", r.pauses, nil).With(r.last.Ref)
}
