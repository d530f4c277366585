package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans009() *rules.Rule {
	return &rules.Rule{
		ID: "TRANS-009", Title: "ICRC mismatch",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "The ICRC of a packet is not that of its octets, though others from the same end are right. The receiver drops it without " +
			"a word.",
		Why:       "Something damaged the packet on its way. It is sent again, mostly after a time-out.",
		Advice:    "Look at the error counters of the ports on the way, and for a device that rewrites what the ICRC covers: addresses, ports, the IPv4 identification.",
		Reference: "InfiniBand Architecture 1.3, volume 1, section 7.8.1, and its Annex A17; RFC 8166, section 4.5.5",
		Limits: "Silent on frames that were not captured whole, and for iWARP, which has a CRC of its own (TRANS-011). Each direction is judged " +
			"for itself: on the host that sends, a capture may be taken before the ICRC is there.",
		Cases: []rules.Case{
			{Letter: "b", Title: "no packet of an end has a right ICRC", Severity: rules.Note,
				Advice: "The capture does not have the ICRCs as they were on the wire, or a device between rewrites all packets, as address " +
					"translation does. If the receiver answers the packets, there is nothing wrong with them."},
		},
		Needs: []rules.Knowledge{wires()},
		On:    []rules.Event{onOdd(odd009), rules.OnEnd(end009)},
		Fires: []rules.Sample{
			{Name: "one octet changed on the way", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    noack
				    flip frame 1 80
				    want TRANS-009 frame -4+4
				wait 500ms
				resend 2
				reply 2
				disconnect`},
			{Name: "no ICRC of the client is right", Over: rules.RoCE, Scene: `
				setup
				packet client opcode=4 payload=bytes(16) take=1 badicrc
				packet client opcode=4 payload=bytes(16) take=1 badicrc
				ack server
				send server bytes(16)
				call 1 NFS3 NULL
				    flip frame 1 -1
				    flip frame 2 -1
				reply 1
				    flip frame 2 -1
				want TRANS-009b`},
		},
		Silent: []rules.Sample{
			{Name: "a switch changed what the ICRC does not cover", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 NULL
				    ecn frame 1
				reply 1
				disconnect`},
			{Name: "a frame that was cut", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 NULL
				    flip frame 1 80
				reply 1
				snap 90`},
		},
	}
}

// sums are the ICRCs of what one end sends.
type sums struct {
	wrong int64 // that were not told so far
	first flow.Moment
	place flow.Place
	// carried and computed are those of the first wrong one.
	carried, computed uint32
}

func odd009(c *rules.Conn, v *dissect.FrameView, say rules.Say) {
	if v.IB == nil || v.IB.Check != rocev2.ICRCWrong {
		return
	}
	from := v.Verdict.From & 1
	s := &rules.Some(&of(c).sums)[from]
	if s.wrong++; s.wrong == 1 {
		s.first = rules.Moment(v)
		s.place = flow.Place{Ref: rules.Ref(v), Offset: v.Link.End() - rocev2.ICRCSize, Length: rocev2.ICRCSize}
		s.carried, s.computed = v.IB.ICRC, v.Computed()
	}
	if c.LastSeen(from).RightICRC {
		s.tell(c, say, "", from)
		s.wrong = 0
	}
}

func end009(c *rules.Conn, say rules.Say) {
	ends := ifAny(c).sums
	if ends == nil {
		return
	}
	for end := range flow.End(2) {
		switch s := &ends[end]; {
		case s.wrong == 0:
		case c.LastSeen(end).RightICRC:
			s.tell(c, say, "", end)
		default:
			s.tell(c, say, "b", end)
		}
	}
}

func (s *sums) tell(c *rules.Conn, say rules.Say, letter string, from flow.End) {
	f := say.Moment(letter, s.first.Ref, s.first.Time, &from, "")
	if f == nil {
		return
	}
	carried, computed := rules.Handle(s.carried), rules.Handle(s.computed)
	if letter == "b" {
		f.Sayf("none of %d packets of the %s has a right ICRC", s.wrong, c.Sender(from))
	} else {
		f.Sayf("a packet of the %s has the ICRC %s, and its octets give %s", c.Sender(from), carried, computed)
	}
	f.See("ICRC", carried, computed).See("left out of the ICRC", "TTL, type of service, flow label, checksums of IP and UDP, FECN and BECN", nil)
	f.At(s.place)
}
