package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans009() rules.Check {
	return rules.Check{
		Needs: []rules.Knowledge{wires()},
		On:    []rules.Event{onOdd(odd009), rules.OnEnd(end009)},
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
		f.Sayf("no packet of the %s has a right ICRC, of %d", c.Sender(from), s.wrong)
	} else {
		f.Sayf("a packet of the %s has the ICRC %s, and its bytes give %s", c.Sender(from), carried, computed)
	}
	f.See("ICRC", carried, computed).See("left out of the ICRC", "TTL, type of service, flow label, checksums of IP and UDP, FECN and BECN", nil)
	f.At(s.place)
	if letter == "" {
		f.Path = pathOf(c)
	}
}
