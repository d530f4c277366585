package top

import (
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/rdmacap/rdmacap/report/watch"
)

const (
	headLines = 5 // above the connections: three of figures, an empty one, the titles
	footLines = 3 // below: the newest finding, a message, the keys
	// leastWidth and leastHeight are those of the smallest terminal that will do.
	leastWidth, leastHeight = 40, 10
)

// View implements tea.Model: as many lines as the terminal has, none wider than it.
func (m Model) View() string {
	var lines []string
	switch {
	case m.width < leastWidth || m.height < leastHeight:
		lines = []string{"too small:", strconv.Itoa(leastWidth) + " x " + strconv.Itoa(leastHeight) + " it takes"}
	case m.help:
		lines = m.viewHelp()
	case m.open != 0:
		lines = m.viewDetail()
	default:
		lines = m.viewList()
	}
	if len(lines) > m.height {
		lines = lines[:m.height]
	}
	for i := range lines {
		lines[i] = fit(lines[i], m.width)
	}
	return strings.Join(lines, "\n")
}

// fill puts so many lines below others that the foot stands at the bottom.
func (m *Model) fill(lines, foot []string) []string {
	for len(lines) < m.height-len(foot) {
		lines = append(lines, "")
	}
	return append(lines[:max(0, m.height-len(foot))], foot...)
}

// viewList shows all connections.
func (m *Model) viewList() []string {
	s := m.snap
	lines := []string{m.title(m.population()), m.traffic(&s.Now), m.trouble(&s.Losses), ""}
	list := m.listed()
	cols := columns(m.width, len(strconv.Itoa(s.Connections)))
	lines = append(lines, m.titles(cols))
	end := min(len(list), m.first+m.room())
	for i := m.first; i < end; i++ {
		lines = append(lines, m.row(cols, &list[i]))
	}
	if len(list) == 0 {
		lines = append(lines, m.style.dim.Render(m.nothing()))
	}
	return m.fill(lines, []string{m.latest(), m.message(len(list), end), m.keys()})
}

// nothing says why no connection is listed.
func (m *Model) nothing() string {
	switch {
	case m.choice.text != "" && len(m.snap.Rows) > 0:
		return " none of " + some(int64(len(m.snap.Rows)), "connection") + " is what is looked for: esc shows all"
	case m.snap.Connections > 0:
		return " no connection to list"
	case m.snap.Frames > 0:
		return " no RDMA connection so far, in " + some(m.snap.Frames, "frame")
	}
	return " no frame so far"
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
	text := some(int64(s.Connections), "connection")
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

// titles are the names of the columns, with a mark at the one that sorts.
func (m *Model) titles(cols []column) string {
	line := ""
	for i := range cols {
		c := &cols[i]
		title := c.title
		if c.by == m.sort {
			title = strings.ToUpper(title)
			if c.width > len(title) {
				if m.reverse != c.most {
					title += "▾"
				} else {
					title += "▴"
				}
			}
		}
		line += " " + pad(title, c.width, c.left)
	}
	return m.style.heading.Render(line)
}

// row is the line of a connection.
func (m *Model) row(cols []column, r *watch.Row) string {
	var b strings.Builder
	mark := " "
	if r.ID == m.selected {
		mark = ">"
	}
	b.WriteString(mark)
	state := state(r)
	for i := 0; i < len(cols); i++ {
		if i > 0 {
			b.WriteByte(' ')
		}
		c := &cols[i]
		if state == "" || !c.figure {
			b.WriteString(pad(c.cell(r), c.width, c.left))
			continue
		}
		width := c.width // the words go over all columns of figures
		for ; i+1 < len(cols) && cols[i+1].figure; i++ {
			width += 1 + cols[i+1].width
		}
		b.WriteString(pad("  "+state, width, true))
	}
	return m.rowStyle(r).Render(b.String())
}

func (m *Model) rowStyle(r *watch.Row) lipgloss.Style {
	switch {
	case r.ID == m.selected:
		return m.style.chosen
	case r.Ended != "" || r.Now.Quiet:
		return m.style.dim
	case r.Findings.Errors > 0:
		return m.style.bad
	case r.Findings.Warnings > 0:
		return m.style.odd
	}
	return m.style.plain
}

// state says why a connection has no figures, "" if it has.
func state(r *watch.Row) string {
	switch {
	case r.Ended != "":
		return r.Ended + " " + while(r.Idle) + " ago"
	case !r.Now.Quiet:
		return ""
	case r.Open > 0:
		return "no traffic for " + while(r.Idle) + ", " + some(int64(r.Open), "call") + " open"
	}
	return "no traffic for " + while(r.Idle)
}

// latest is the newest finding.
func (m *Model) latest() string {
	list := m.snap.Latest
	if len(list) == 0 {
		return m.style.dim.Render("no findings so far")
	}
	return m.finding(&list[len(list)-1], true)
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
	case m.told != "":
		return m.told
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
