package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/requests"
)

func trans003() *rules.Rule {
	return &rules.Rule{
		ID: "TRANS-003", Title: "RNR NAK",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning:  "A receiver had no receive posted for a Send and answered it with an RNR NAK: receiver not ready.",
		Why: "The sender waits for the time that the RNR NAK tells, then sends everything from that Send on again. It may do so only as " +
			"often as the RNR retry count says, and Linux peers ask for none: one RNR NAK ends their connection.",
		Advice: "Decide who is at fault. CREDIT-001 or CREDIT-006 on the same connection: the sender used more credits than it had. " +
			"CREDIT-008: the receiver posted fewer receives than it granted.",
		Reference: "RFC 8166, section 3.3.1; RFC 8167, section 4; InfiniBand Architecture 1.3, volume 1, section 9.7.5",
		Gates:     rules.Gates{rules.SilentIf(rules.Lossy, rules.NearEnd).In("b")},
		Limits: "For RoCE and InfiniBand: over iWARP the same is a Terminate (TRANS-012). Silent until the server has sent anything or " +
			"the client's RTU was seen, for a server may lag behind its REP. With a shared receive queue other connections may " +
			"have used up the receives. Case b needs the set-up in the capture, and that nothing is sent again after the RNR NAK " +
			"until the connection or a second of the capture is over.",
		Causes: []string{"CREDIT-001", "CREDIT-006", "CREDIT-002", "CREDIT-007", "CREDIT-008"},
		Cases: []rules.Case{
			{Letter: "b", Title: "the RNR retry count is used up", Severity: rules.Error,
				Advice: "The connection ends here. Find out why the receiver had no receive (CREDIT-001, CREDIT-006, CREDIT-008); a higher " +
					"RNR retry count would only make it slow instead."},
		},
		Needs: []rules.Knowledge{wires()},
		On:    []rules.Event{onRefused(refused003), onOdd(odd003), rules.OnEnd(end003)},
		Fires: []rules.Sample{
			{Name: "a call is refused, and sent again", Over: rules.RoCE, Scene: `
				connect serverrnrretry=7
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    noack
				rnr server 14
				    want TRANS-003 frame 54+1
				    want CREDIT-008
				wait 1ms
				resend 2
				reply 2
				disconnect`},
			{Name: "as often as it takes, and nothing is sent again", Over: rules.RoCE, Scene: `
				connect serverrnrretry=7
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    noack
				rnr server 14
				    want TRANS-003 frame 54+1
				    want CREDIT-008
				disconnect`},
			{Name: "the server wants no second try", Over: rules.RoCE, Scene: `
				connect serverrnrretry=0
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    noack
				rnr server 14
				    want TRANS-003 frame 54+1
				    want TRANS-003b frame 54+1
				    want CREDIT-008
				disconnect`},
			{Name: "twice where one try more was allowed", Over: rules.RoCE, Scene: `
				connect rnrretry=1
				call 1 NFS3 NULL
				reply 1
				    noack
				rnr client 14
				    want TRANS-003 frame
				    want CREDIT-008
				wait 1ms
				resend
				rnr client 14
				    want TRANS-003b frame
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "an ACK", Over: rules.RoCE, Scene: `
				connect serverrnrretry=0
				call 1 NFS3 NULL
				ack server
				reply 1
				disconnect`},
			{Name: "the first call comes before the RTU", Over: rules.RoCE, Scene: `
				connect serverrnrretry=7
				    drop frame 3
				call 1 NFS3 NULL
				    noack
				rnr server 14
				wait 1ms
				resend 1
				reply 1
				disconnect`},
		},
	}
}

// unready follows the RNR NAKs of a connection.
type unready struct {
	// of each end that is not ready: how often it said so of the PSN, and the last
	// time, if that was once too often.
	psn    [2]uint32
	times  [2]int
	last   [2]flow.Moment
	place  [2]flow.Place
	beyond [2]bool
}

func refused003(c *rules.Conn, r *refusal, say rules.Say) {
	if !r.syndrome.IsRNR() || !ready(c, r.from) {
		return
	}
	if f := say.Frame("", r.v, ""); f != nil {
		f.Sayf("the %s is not ready for %s and asks for %s", c.Sender(r.from), r.about(), rules.Duration(int64(r.syndrome.RNRTimer())))
		r.show(f)
	}
	u := rules.Some(&of(c).unready)
	end := r.from
	if u.times[end] == 0 || u.psn[end] != r.psn {
		u.psn[end], u.times[end] = r.psn, 0
	}
	u.times[end]++
	u.last[end], u.place[end] = rules.Moment(r.v), r.place()
	t := told(c, end)
	u.beyond[end] = t != nil && t.RNRRetry.Value != endless && u.times[end] > t.RNRRetry.Value
}

// ready reports whether an end must be ready by now.
func ready(c *rules.Conn, end flow.End) bool {
	return end == c.ClientEnd || requests.Of(c).Sent(c.ClientEnd.Peer()) || c.Handshake.RTU
}

// odd003 looks for what is sent again in spite of the RNR NAK.
func odd003(c *rules.Conn, v *dissect.FrameView, _ rules.Say) {
	u := ifAny(c).unready
	if u == nil {
		return
	}
	asker := v.Verdict.From & 1
	if u.beyond[asker^1] && again(v) && v.IB.OpCode.IsRequest() && v.IB.PSN == u.psn[asker^1] {
		u.beyond[asker^1] = false // it has another count
	}
}

func end003(c *rules.Conn, say rules.Say) {
	u := ifAny(c).unready
	if u == nil {
		return
	}
	for end := range u.beyond {
		h := &u.last[end]
		told := told(c, flow.End(end))
		if told == nil || !u.beyond[end] || c.EndGuard(h.Time) && c.Closing == flow.Open || c.Lossy() {
			continue
		}
		from := flow.End(end)
		limit := told.RNRRetry.Value
		if f := say.Moment("b", h.Ref, h.Time, &from, ""); f != nil {
			f.Sayf("the %s was not ready %d times for PSN %d, and asked for an RNR retry count of %d: its peer does not try again",
				c.Sender(from), u.times[end], u.psn[end], limit)
			f.See("RNR NAKs", u.times[end], nil).See("RNR retry count", limit, nil).See("PSN", u.psn[end], nil).At(u.place[end])
		}
	}
}
