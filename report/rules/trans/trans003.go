package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
)

func trans003() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.NearEnd).In("b"), rules.SilentIf(rules.LostSince.From(rules.Receiver)).In("b").Since("the RNR NAK"), rules.LikelyIf(rules.Lossy).In("bc"),
			rules.SilentIf(rules.Disordered, rules.OneDirection, rules.LostSince.From(rules.Receiver)).In("c").Since("the RNR NAK"), rules.LikelyIf(rules.BeganLate).In("c")},
		Needs: []rules.Knowledge{wires()},
		On:    []rules.Event{onRefused(refused003), onOutOfOrdinary(packet003), rules.OnEnd(end003)},
	}
}

// unready follows the RNR NAKs of a connection.
type unready struct {
	// of each end that is not ready: how often it reported so of the PSN, and the last
	// time, if that was once too often.
	psn    [2]uint32
	times  [2]int
	last   [2]flow.Moment
	place  [2]flow.Place
	beyond [2]bool
	waits  [2]wait // of each end that is not ready: for it
}

func refused003(c *rules.Conn, r *refusal, report rules.Reporter) {
	if !r.syndrome.IsRNR() || !ready(c, r.from) {
		return
	}
	if f := report.Frame("", r.v, ""); f != nil {
		f.Messagef("the %s is not ready for %s and requires a wait of %s", c.Sender(r.from), r.about(), rules.Duration(int64(r.syndrome.RNRTimer())))
		r.show(f)
	}
	u := rules.Some(&state.Of(c).unready)
	end := r.from
	if u.times[end] == 0 || u.psn[end] != r.psn {
		u.psn[end], u.times[end] = r.psn, 0
	}
	u.times[end]++
	u.last[end], u.place[end] = rules.Moment(r.v), r.place()
	t := handshakeOf(c, end)
	u.waits[end].refuse(r)
	u.beyond[end] = t != nil && t.RNRRetry.Value != endless && u.times[end] > t.RNRRetry.Value
}

// ready reports whether an end must be ready by now.
func ready(c *rules.Conn, end flow.End) bool {
	return end == c.ClientEnd || requests.Of(c).Sent(c.ClientEnd.Peer()) || c.Handshake.RTU
}

// packet003 looks for what is retransmitted in spite of the RNR NAK.
func packet003(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	u := ifAny(c).unready
	if u == nil || !again(v) || !isRequest(v.IB) {
		return
	}
	end := v.Verdict.From&1 ^ 1
	if v.IB.PSN == u.psn[end] {
		u.beyond[end] = false // it has another count
	}
	u.waits[end].repeat(c, v)
}

func end003(c *rules.Conn, report rules.Reporter) {
	u := ifAny(c).unready
	if u == nil {
		return
	}
	for end := range u.beyond {
		early003(c, &u.waits[end], flow.End(end), report)
		h := &u.last[end]
		told := handshakeOf(c, flow.End(end))
		if told == nil || !u.beyond[end] || c.EndGuard(h.Time) && c.Closing == flow.Open || c.LostAnyOf(flow.End(end)^1, h.Ref) {
			continue
		}
		from := flow.End(end)
		limit, doubt := told.RNRRetry.Value, ""
		if c.Lossy() {
			doubt = finding.DoubtLoss
		}
		report.Moment("b", h.Ref, h.Time, &from, doubt).
			Messagef("the %s was not ready %s for PSN %d, and set an RNR retry count of %d: its peer does not retry",
				c.Sender(from), field.Counted(u.times[end], "time"), u.psn[end], limit).
			See("RNR NAKs", u.times[end], nil).See("RNR retry count", limit, nil).See("PSN", u.psn[end], nil).At(u.place[end])
	}
}
