package trans

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans009() rules.Check {
	return rules.Check{
		Needs: []rules.Knowledge{wires()},
		On:    []rules.Event{onOutOfOrdinary(packet009), rules.OnEnd(end009)},
	}
}

// sums are the ICRCs of what one end sends.
type sums struct {
	damaged, byRule wrongs // right by no rule that is known, and right by one
}

// wrongs are wrong ICRCs.
type wrongs struct {
	n     int64 // that were not told so far
	first flow.Moment
	place flow.Place
	// carried and computed are those of the first one.
	carried, computed uint32
}

func packet009(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	if v.IB == nil || v.IB.Check != rocev2.ICRCWrong {
		return
	}
	from := v.Verdict.From & 1
	s, rule := &rules.Some(&state.Of(c).sums)[from], &wireOf(c).sums[from]
	if !rule.byRule {
		s.damaged.addWrong(v)
		if c.LastSeen(from).RightICRC {
			s.damaged.report(c, report, "", from)
		}
		return
	}
	s.byRule.addWrong(v)
	if rule.dropped && rule.rule.Kind != rocev2.ICRCAddresses {
		s.byRule.reportRule(c, report, rule, from)
	}
}

func (w *wrongs) addWrong(v *dissect.FrameView) {
	if w.n++; w.n == 1 {
		w.first = rules.Moment(v)
		w.place = flow.Place{Ref: rules.Ref(v), Offset: v.Link.End() - rocev2.ICRCSize, Length: rocev2.ICRCSize}
		w.carried, w.computed = v.IB.ICRC, v.Computed()
	}
}

func end009(c *rules.Conn, report rules.Reporter) {
	ends := ifAny(c).sums
	if ends == nil {
		return
	}
	for end := range flow.End(2) {
		s := &ends[end]
		if s.byRule.n > 0 {
			s.byRule.reportRule(c, report, &wireOf(c).sums[end], end)
		}
		switch {
		case s.damaged.n == 0:
		case c.LastSeen(end).RightICRC:
			s.damaged.report(c, report, "", end)
		default:
			s.damaged.report(c, report, "b", end)
		}
	}
}

func (w *wrongs) report(c *rules.Conn, report rules.Reporter, letter string, from flow.End) {
	f := report.Moment(letter, w.first.Ref, w.first.Time, &from, "")
	if f != nil {
		carried, computed := rules.Handle(w.carried), rules.Handle(w.computed)
		if letter == "b" {
			f.Messagef("none of %[2]d packets of the %[1]s has a correct ICRC", c.Sender(from), w.n)
		} else {
			f.Messagef("a packet of the %s has the ICRC %s, but its bytes give %s", c.Sender(from), carried, computed)
		}
		f.See("ICRC", carried, computed).See("left out of the ICRC", "TTL, type of service, flow label, checksums of IP and UDP, FECN and BECN", nil)
		f.At(w.place)
		if letter == "" {
			f.Path = pathOf(c)
		}
	}
	w.n = 0
}

// reportRule reports ICRCs that are wrong by a rule.
func (w *wrongs) reportRule(c *rules.Conn, report rules.Reporter, r *wrongSums, from flow.End) {
	letter := map[rocev2.ICRCKind]string{rocev2.ICRCNoPad: "c", rocev2.ICRCReversed: "d", rocev2.ICRCAddresses: "e", rocev2.ICRCMask: "f"}[r.rule.Kind]
	f := report.Moment(letter, w.first.Ref, w.first.Time, &from, "")
	for range w.n - 1 {
		report.Moment(letter, r.last.Ref, r.last.Time, &from, "")
	}
	w.n = 0
	if f == nil {
		return
	}
	sender, carried, computed := c.Sender(from), rules.Handle(w.carried), rules.Handle(w.computed)
	what := "packets"
	if !r.mixed {
		what = r.opcode.String() + " packets"
	}
	if r.n == 1 {
		what = "a " + r.opcode.String() + " packet"
	}
	text := ""
	switch r.rule.Kind {
	case rocev2.ICRCNoPad:
		text = fmt.Sprintf("the %s computes the ICRC without the pad: that of %s with a PadCnt other than 0 is correct only that way", sender, what)
	case rocev2.ICRCReversed:
		text = fmt.Sprintf("the %s sends the ICRC in reversed byte order, in %s", sender, what)
	case rocev2.ICRCMask:
		text = fmt.Sprintf("the %s computes the ICRC of %s with another mask: %s", sender, what, r.rule.Fields())
	case rocev2.ICRCAddresses:
		text = r.translated(c, f, from)
	}
	if r.dropped {
		text += fmt.Sprintf(". They were retransmitted: the %s drops them", c.Sender(from^1))
		if r.rule.Kind != rocev2.ICRCAddresses {
			text += ", so the capture was not merely taken before an adapter computed the ICRC"
		}
	}
	f.Messagef("%s", text)
	f.See("ICRC", carried, computed).At(w.place)
}

// translated says which addresses were translated on the way.
func (r *wrongSums) translated(c *rules.Conn, f *rules.Finding, from flow.End) string {
	var parts []string
	for i, a := range [...]link.Addr{r.rule.Src, r.rule.Dst} {
		if now := c.Ends[(from+flow.End(i))&1].Addr; a.IsValid() && a != now {
			which := [...]string{"source", "destination"}[i]
			parts = append(parts, fmt.Sprintf("the %s address %s became %s", which, a, now))
			f.See(which+" address", now.String(), a.String())
		}
	}
	text := fmt.Sprintf("an address was translated on the path: in packets of the %s %s, and their ICRC matches the former", c.Sender(from), strings.Join(parts, ", and "))
	if !c.Established {
		text += ". The connection never came up"
	}
	return text
}
