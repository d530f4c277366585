package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans001() *rules.Rule {
	return &rules.Rule{
		ID: "TRANS-001", Title: "PSN gap",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning: "Packets are missing. As a note: the capture lacks frames that the network delivered, for the peer acknowledged them or " +
			"its sender went on. As a warning: the network lost packets, for the receiver asked for them or they were sent again.",
		Why: "A loss on the wire costs a round trip or a time-out, and everything behind it is sent again. A loss in the capture costs " +
			"nothing, but rules that prove something by its absence are silent from there on.",
		Advice: "For losses on the wire, look at the counters of drops of both ports and of the switches between them, and at PFC and ECN: " +
			"RoCE expects a network that hardly drops. For losses in the capture, give the capturing program a larger buffer " +
			"or a shorter snap length.",
		Reference: "InfiniBand Architecture 1.3, volume 1, section 9.7",
		Limits: "Of a TCP stream only losses in the capture are told; TRANS-013 has the others. A receiver that got packets in another " +
			"order than they were sent, as adaptive routing gives them, asks for them too. What nothing shows to " +
			"have been delivered is not told, as at the end of the capture; nor are responses to an RDMA Read of which others are there.",
		Causes: []string{"TRANS-009", "TRANS-010"},
		Needs:  []rules.Knowledge{wires()},
		On:     []rules.Event{onRefused(refused001), onOdd(odd001), rules.OnEnd(end001)},
		Fires: []rules.Sample{
			{Name: "the capture lacks a packet", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    drop frame 1
				reply 2
				repeat 20
				call $+2 NFS3 NULL
				reply $+2
				end
				want TRANS-001
				disconnect`},
			{Name: "the capture lacks a segment", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    drop frame 1
				reply 2
				repeat 40
				call $+2 NFS3 NULL
				reply $+2
				end
				want TRANS-001
				disconnect`},
			{Name: "the network lost a Send behind the capture", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 NULL
				    noack
				nak server sequence
				    want TRANS-001 frame 54+1
				resend 1
				reply 1
				disconnect`},
			{Name: "the network lost a Send before the capture", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    noack
				    drop frame 1
				wait 5ms
				call 3 NFS3 NULL
				    noack
				wait 20ms
				resend 2
				    want TRANS-001 frame 1
				reply 2
				reply 3
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "two packets changed places", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 WRITE data=bytes(1500)
				    noack
				    late 1 frame 1
				reply 1
				disconnect`},
			{Name: "two segments changed places", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 WRITE data=bytes(3500)
				    late 1 frame 1
				reply 1
				disconnect`},
		},
	}
}

// gap is a frame that came behind one that is missing so far, whatever it carries: package
// requests has requests only, and not what is missing before them.
type gap struct {
	ref     flow.Ref
	psn     uint32
	missing int
}

// holes are what is missing of a connection.
type holes struct {
	gaps  [8]gap // the last ones
	n     int
	lost  int64 // frames that were told to be missing
	holes int64 // of the connection, then
}

func odd001(c *rules.Conn, v *dissect.FrameView, say rules.Say) {
	if v.IB != nil {
		switch v.Verdict.Note {
		case flow.Gap:
			h := rules.Some(&of(c).holes)
			h.gaps[h.n%len(h.gaps)] = gap{rules.Ref(v), v.IB.PSN, v.Verdict.Missing}
			h.n++
		case flow.LostOnWire:
			onWire(c, v, say)
		}
	}
	inCapture(c, rules.Moment(v), say)
}

// onWire tells of a packet that was sent again, and that the capture lacks as it
// was sent first.
func onWire(c *rules.Conn, v *dissect.FrameView, say rules.Say) {
	if f := say.As(rules.Warning).Frame("", v, ""); f != nil {
		f.Sayf("the %s sends PSN %d again, which was lost before it came to where the capture was taken", c.Sender(v.Verdict.From), v.IB.PSN)
		f.See("PSN", v.IB.PSN, nil)
	}
}

// refused001 tells of what a receiver asks for.
func refused001(c *rules.Conn, r *refusal, say rules.Say) {
	if r.syndrome != rocev2.NAKPSNSequenceError {
		return
	}
	sender := r.from ^ 1
	if f := say.As(rules.Warning).Moment("", rules.Ref(r.v), r.v.Frame.Time, &sender, ""); f != nil {
		f.Sayf("the %s did not get PSN %d of the %s, and asks for it", c.Sender(r.from), r.psn, c.Sender(sender))
		r.show(f)
	}
}

// inCapture tells of frames that are known by now to be missing from the capture:
// now is what showed it, where there is no hole.
func inCapture(c *rules.Conn, now flow.Moment, say rules.Say) {
	h := ifAny(c).holes
	switch {
	case h != nil && h.lost == c.LostInCapture || h == nil && c.LostInCapture == 0:
		return
	case h == nil:
		h = rules.Some(&of(c).holes)
	}
	lost := c.LostInCapture - h.lost
	if c.Holes != h.holes {
		now = flow.Moment{Ref: c.LastHole, Time: c.LastHoleTime}
	}
	h.lost, h.holes = c.LostInCapture, c.Holes
	f := say.Moment("", now.Ref, now.Time, nil, "")
	if f == nil {
		return
	}
	f.Sayf("the capture lacks %d frames or more before frame %s, which the network delivered", lost, c.Capture.FrameName(now.Ref))
	f.See("missing frames", lost, 0)
	if g := h.gap(now.Ref); g != nil {
		f.See("PSN", g.psn, rocev2.PSNAdd(g.psn, -g.missing))
	}
}

// gap is what is remembered of a frame behind a gap.
func (h *holes) gap(r flow.Ref) *gap {
	for i := range h.gaps[:min(h.n, len(h.gaps))] {
		if h.gaps[i].ref == r {
			return &h.gaps[i]
		}
	}
	return nil
}

func end001(c *rules.Conn, say rules.Say) {
	inCapture(c, flow.Moment{Ref: c.Last, Time: c.LastTime}, say)
}
