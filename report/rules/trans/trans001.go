package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans001() rules.Check {
	return rules.Check{
		Needs: []rules.Knowledge{wires()},
		On:    []rules.Event{onRefused(refused001), onOutOfOrdinary(packet001), onLostBefore(lost001), rules.OnEnd(end001)},
	}
}

// gap is a frame that came after one that is missing so far, whatever it carries: package
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

// late001 are the findings of an end's packets that came late or that its peer asked for, and the PSN of each.
type late001 [2]struct {
	finding *rules.Finding
	psn     uint32
}

// note notes a finding about a packet.
func (l *late001) note(from flow.End, f *rules.Finding, psn uint32) {
	l[from&1].finding, l[from&1].psn = f, psn
}

func packet001(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	if v.IB != nil && v.Verdict.Note == flow.Gap {
		h := rules.Some(&state.Of(c).holes)
		h.gaps[h.n%len(h.gaps)] = gap{rules.Ref(v), v.IB.PSN, v.Verdict.Missing}
		h.n++
	}
	inCapture(c, rules.Moment(v), report)
}

// lost001 reports a packet that was retransmitted, and that the capture lacks as it was sent
// first.
func lost001(c *rules.Conn, x *lostBefore, report rules.Reporter) {
	if x.moved {
		overtaken001(c, x, report)
		return
	}
	if f := report.As(finding.Warning).Moment("", x.at.Ref, x.at.Time, &x.from, ""); f != nil {
		rules.Some(&state.Of(c).late).note(x.from, f, x.psn)
		f.Messagef("the %s retransmits PSN %d, which was lost before it reached the capture point", c.Sender(x.from), x.psn)
		f.See("PSN", x.psn, nil)
		f.Path = pathOf(c)
	}
}

// overtaken001 reports a packet that came after later ones and that its receiver asked for: its identification
// shows that it is no copy.
func overtaken001(c *rules.Conn, x *lostBefore, report rules.Reporter) {
	if f := report.As(finding.Warning).Moment("", x.at.Ref, x.at.Time, &x.from, ""); f != nil {
		f.Messagef("PSN %d of the %s arrived after later ones, which overtook it, and the %s requested it as if it were lost",
			x.psn, c.Sender(x.from), c.Sender(x.from.Peer()))
		f.Advise("%s", adviceOvertaken)
		f.See("PSN", x.psn, nil)
		f.Path = pathOf(c)
	}
}

// adviceOvertaken is what to look for where packets overtake others.
const adviceOvertaken = "Find out whether packets of one connection take several paths: per-packet load balancing, link aggregation, adaptive routing."

// refused001 reports what a receiver asks for.
func refused001(c *rules.Conn, r *refusal, report rules.Reporter) {
	if r.syndrome != rocev2.NAKPSNSequenceError {
		return
	}
	sender := r.from ^ 1
	if f := report.As(finding.Warning).Moment("", rules.Ref(r.v), r.v.Frame.Time, &sender, ""); f != nil {
		f.Messagef("the %s did not receive PSN %d of the %s, and requests it", c.Sender(r.from), r.psn, c.Sender(sender))
		rules.Some(&state.Of(c).late).note(sender, f, r.psn)
		r.show(f)
		f.Path = pathOf(c)
	}
}

// inCapture reports frames that are known by now to be missing from the capture:
// now is what showed it, where there is no hole.
func inCapture(c *rules.Conn, now flow.Moment, report rules.Reporter) {
	h := ifAny(c).holes
	switch {
	case h != nil && h.lost == c.LostInCapture || h == nil && c.LostInCapture == 0:
		return
	case c.LeftOut:
		return // whoever made the copy knows
	case h == nil:
		h = rules.Some(&state.Of(c).holes)
	}
	lost := c.LostInCapture - h.lost
	if c.Holes != h.holes {
		now = c.LastHole()
	}
	h.lost, h.holes = c.LostInCapture, c.Holes
	f := report.Moment("", now.Ref, now.Time, nil, "")
	if f == nil {
		return
	}
	what, missing := "frame", "missing frames"
	if c.IWARP() {
		what, missing = "TCP segment", "missing TCP segments"
	}
	f.Messagef("the capture lacks at least %s before frame %s that the network delivered", field.Counted(lost, what), c.Capture.FrameName(now.Ref))
	f.See(missing, lost, 0)
	f.Advise("Give the capturing program a larger buffer or a shorter snap length. The network delivered these frames; rules that prove something by its absence report nothing from there on.")
	if g := h.gap(now.Ref); g != nil {
		f.See("PSN", g.psn, rocev2.PSNAdd(g.psn, -g.missing))
	}
}

// gap is what is remembered of a frame after a gap.
func (h *holes) gap(r flow.Ref) *gap {
	for i := range h.gaps[:min(h.n, len(h.gaps))] {
		if h.gaps[i].ref == r {
			return &h.gaps[i]
		}
	}
	return nil
}

// unsure001 takes back what was reported of packets that came late, where so many are known to
// have been overtaken that these may have been too.
func unsure001(c *rules.Conn) {
	all, path := ifAny(c).late, pathOf(c)
	if all == nil || path == nil {
		return
	}
	for from := range all {
		if x, w := &all[from], &path.Ways[from]; x.finding != nil && w.MayBeOvertaken() {
			x.finding.Messagef("PSN %d of the %s arrived after later ones: either they overtook it, as happened to %d others, or it was lost and retransmitted",
				x.psn, c.Sender(flow.End(from)), w.Overtaken)
			x.finding.Advise("%s", adviceOvertaken)
		}
	}
}

func end001(c *rules.Conn, report rules.Reporter) {
	unsure001(c)
	inCapture(c, flow.Moment{Ref: c.Last, Time: c.LastTime}, report)
}
