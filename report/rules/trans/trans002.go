package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/requests"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans002() *rules.Rule {
	return &rules.Rule{
		ID: "TRANS-002", Title: "Retransmission",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A packet was sent again with its PSN: since the receiver asked for it, since it was not ready, or after a time-out. " +
			"What follows the first such packet is mostly the rest of the window, which goes again with it.",
		Why: "Whatever waits for the packet is late by a round trip or, where nobody asks for it, by the ACK time-out, which is often " +
			"hundreds of milliseconds.",
		Advice:    "Look for what was lost, and where (TRANS-001). Many after a time-out mean that the last packets of a burst get lost.",
		Reference: "InfiniBand Architecture 1.3, volume 1, section 9.7",
		Gates:     rules.Gates{rules.LikelyIf(rules.BeganLate).In("b")},
		Limits: "For RoCE and InfiniBand: TRANS-013 has TCP. RDMA Writes of no octets, with which some adapters ask whether " +
			"the peer is alive, are not counted. Case b compares whole packets by their ICRC, so it needs frames captured whole; " +
			"it looks only at Sends, for the octets of an RDMA Write may change in memory between the two.",
		Causes: []string{"TRANS-001", "TRANS-003", "TRANS-009", "TRANS-006"},
		Cases: []rules.Case{
			{Letter: "b", Title: "another packet with the same PSN", Severity: rules.Error,
				Advice: "Either something on the sender's side damaged the packet before its ICRC was made, or two senders use one queue pair. " +
					"Compare the two frames, their MAC addresses first."},
		},
		Needs: []rules.Knowledge{wires()},
		On:    []rules.Event{onOdd(odd002)},
		Fires: []rules.Sample{
			{Name: "a Send goes again after a NAK", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 NULL
				    noack
				nak server sequence
				resend 1
				    want TRANS-002 frame
				reply 1
				disconnect`},
			{Name: "a Send goes again after a time-out", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 NULL
				    noack
				wait 500ms
				resend 1
				    want TRANS-002 frame
				reply 1
				disconnect`},
			{Name: "the same PSN with another payload", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 NULL
				wait 1ms
				packet client opcode=4 psn=-1 payload=bytes(64)
				    want TRANS-002 frame
				    want TRANS-002b frame
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a mirror gives the frame twice", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 NULL
				    dup frame 1
				reply 1
				disconnect`},
			{Name: "an RDMA Write of no octets asks whether the peer is alive", Over: rules.RoCE, Scene: `
				connect
				packet client opcode=10 reth=[0 0 0] take=1
				ack server
				wait 10s
				packet client opcode=10 reth=[0 0 0] psn=-1
				ack server
				disconnect`},
			{Name: "the next PSN with the same payload", Over: rules.RoCE, Scene: `
				connect client=none server=none
				send client bytes(64)
				send client bytes(64)
				disconnect`},
		},
	}
}

// odd002 looks for packets that are sent again.
func odd002(c *rules.Conn, v *dissect.FrameView, say rules.Say) {
	ib := v.IB
	if ib == nil || !again(v) || ib.OpCode.Transport() == rocev2.TransportUD {
		return
	}
	if ib.OpCode.Kind() == rocev2.KindWrite && ib.RETH() != 0 && ib.DMALen() == 0 {
		return // it asks whether the peer is alive
	}
	if f := say.Frame("", v, ""); f != nil {
		sentAgain002(c, f, v)
	}
	if v.Verdict.Note == flow.Retransmission && ib.OpCode.Kind() == rocev2.KindSend {
		compare(c, v, say)
	}
}

// sentAgain002 says why a packet goes again.
func sentAgain002(c *rules.Conn, f *rules.Finding, v *dissect.FrameView) {
	from := v.Verdict.From & 1
	q := (*requests.Request)(nil)
	if v.IB.OpCode.IsRequest() && v.Verdict.Note == flow.Retransmission {
		q = requests.Of(c).Find(from, v.IB.PSN) // as it was sent first, which the capture has
	}
	why, frame := wireOf(c).reason(c, v, q)
	f.Sayf("the %s sends PSN %d again (%s), %s", c.Sender(from), v.IB.PSN, v.IB.OpCode, why)
	f.See("PSN", v.IB.PSN, nil)
	if frame.Number > 0 {
		f.With(frame)
	}
	if q == nil {
		return
	}
	f.With(q.Frame)
	f.See("time since it was sent first", rules.Duration(v.Frame.Time-q.Time), nil)
	if timeout := timeout(c); timeout > 0 {
		f.See("Local ACK Timeout", rules.Duration(int64(timeout)), nil)
	}
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
	case v.IB.OpCode.IsResponse():
		return "since it was asked for again", flow.Ref{}
	case refused > since && nak.Time == refused:
		return "since the receiver asked for it", nak.Ref
	case refused > since:
		return "since the receiver was not ready", rnr.Ref
	}
	// What comes sooner than the time-out is not explained by it.
	if t := timeout(c); q != nil && t > 0 && v.Frame.Time-q.Time >= int64(t) {
		return "though nobody asked for it, as after a time-out", flow.Ref{}
	}
	return "without a NAK in the capture", flow.Ref{}
}

// compare tells if a Send packet is not the one that had the PSN.
func compare(c *rules.Conn, v *dissect.FrameView, say rules.Say) {
	first := requests.Of(c).Other(c, v)
	if first == nil {
		return
	}
	doubt := ""
	if c.BeganLate() {
		doubt = rules.DoubtLate // its queue pair may serve another connection by now
	}
	f := say.Frame("b", v, doubt)
	if f == nil {
		return
	}
	f.Sayf("PSN %d of the %s is not the packet that frame %s has with that PSN", v.IB.PSN, c.Sender(v.Verdict.From), c.Capture.FrameName(first.Frame))
	f.See("opcode", v.IB.OpCode.String(), first.OpCode.String())
	f.See("octets from BTH to ICRC", v.Link.End()-v.Link.Start(), first.Length).See("PSN", v.IB.PSN, nil).With(first.Frame)
}
