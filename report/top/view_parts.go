package top

import (
	"strconv"
	"time"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/watch"
)

// fill puts so many lines below others that the foot stands at the bottom.
func (m *Model) fill(lines, foot []string) []string {
	for len(lines) < m.height-len(foot) {
		lines = append(lines, "")
	}
	return append(lines[:max(0, m.height-len(foot))], foot...)
}

// title is the first line: whether it goes on, what is shown, and what is watched.
func (m *Model) title(what string) string {
	s := m.style.heading.Render("rdmacap live")
	if m.paused {
		s += "  " + m.style.odd.Render("PAUSED")
	}
	if m.snap.Over {
		s += "  " + m.style.heading.Render("END OF INPUT")
	}
	s += "  " + what
	if m.snap.Began != 0 {
		s += "  " + while(time.Duration(m.snap.Time-m.snap.Began))
	}
	return s + "  " + m.style.name.Render(m.name)
}

// population says how many connections there are.
func (m *Model) population() string {
	s := m.snap
	text := field.Counted(int64(s.Connections), "connection")
	if s.Ended > 0 {
		text += ", " + strconv.Itoa(s.Ended) + " ended"
	}
	if s.Unlisted > 0 {
		text += ", " + strconv.Itoa(s.Unlisted) + " too many to list"
	}
	return text
}

// traffic are figures of the last seconds in a line.
func (m *Model) traffic(f *watch.Figures) string {
	return "calls/s " + rate(f.Calls) + "  MB/s → server " + megabytes(f.ToServer) + " → client " + megabytes(f.ToClient) +
		"  p50 " + latency(f, f.P50) + " p99 " + latency(f, f.P99) + " max " + latency(f, f.Max)
}

// trouble is what went wrong, in a line.
func (m *Model) trouble(l *watch.Losses) string {
	d := m.snap.Drops
	mark := func(n int64, text string) string {
		if n == 0 {
			return text
		}
		return m.style.odd.Render(text)
	}
	all := d.Kernel + d.Ring + d.Shed
	dropped := "dropped " + count(all)
	if all > 0 {
		dropped += " (kernel " + count(d.Kernel) + ", ring " + count(d.Ring) + ", shed " + count(d.Shed) + ")"
	}
	found := m.snap.Findings
	text := mark(l.Retransmissions, "retransmitted "+count(l.Retransmissions)) + "  " +
		mark(l.LostOnWire, "lost "+count(l.LostOnWire)) + "  " + mark(l.Missing, "missing "+count(l.Missing)) + "  " + mark(all, dropped) + "  findings "
	switch {
	case found.Errors > 0:
		return text + m.style.bad.Render(findings(found))
	case found.Warnings+found.Notes > 0:
		return text + m.style.odd.Render(findings(found))
	}
	return text + "0"
}

// state says why a connection has no figures, "" if it has.
func state(r *watch.Row) string {
	switch {
	case r.Ended != "":
		return r.Ended + " " + while(r.Idle) + " ago"
	case !r.Now.Quiet:
		return ""
	case r.Open > 0:
		return "no traffic for " + while(r.Idle) + ", " + field.Counted(int64(r.Open), "call") + " open"
	}
	return "no traffic for " + while(r.Idle)
}

// finding is one in a line.
func (m *Model) finding(f *watch.Finding, whose bool) string {
	text := at(f.Time) + " " + m.style.severity(f.Severity).Render(f.Severity.String()) + " " + f.Rule
	if whose && f.Connection != 0 {
		text += " #" + strconv.Itoa(f.Connection)
	}
	return text + ": " + f.Message
}

// message is the line above the keys: what is asked for or told, or what is listed.
func (m *Model) message(listed, end int) string {
	switch {
	case m.asking && m.wrong != "":
		return m.style.bad.Render(m.wrong)
	case m.asking && m.open == 0:
		return m.style.dim.Render("a text, or as in: calls > 100 and (errors > 0 or p99 > 10ms)   enter, esc")
	case m.asking:
		return m.style.dim.Render("a text in RPCs and findings   enter, esc")
	case m.liveMessage != "":
		return m.liveMessage
	case m.open != 0:
		return ""
	}
	text := "sorted by " + m.sort
	if c := m.order(); m.reverse != c.most {
		text += ", greatest first"
	}
	if m.choice.text != "" {
		text += "; with " + m.choice.text
	}
	if listed > end-m.first {
		text += "; " + strconv.Itoa(m.first+1) + " to " + strconv.Itoa(end) + " of " + strconv.Itoa(listed)
	}
	if n := m.snap.Dropped; n > 0 {
		text += "; not listed: " + strconv.Itoa(n) + " ended"
	}
	return m.style.dim.Render(text)
}

// keys is the last line.
func (m *Model) keys() string {
	switch {
	case m.asking:
		return "/" + m.input + "_"
	case m.open != 0:
		return m.style.dim.Render("↑↓ scroll  tab lists  / look for  space pause  esc back  ? help  q quit")
	}
	return m.style.dim.Render("↑↓ choose  enter open  s sort  r reverse  / filter  space pause  ? help  q quit")
}
