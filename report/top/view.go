package top

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/watch"
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
		return " no match among " + field.Counted(int64(len(m.snap.Rows)), "connection") + ": Esc shows all"
	case m.snap.Connections > 0:
		return " no connection to list"
	case m.snap.Frames > 0:
		return " no RDMA connection so far, in " + field.Counted(m.snap.Frames, "frame")
	}
	return " no frame so far"
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

// latest is the newest finding.
func (m *Model) latest() string {
	list := m.snap.Latest
	if len(list) == 0 {
		return m.style.dim.Render("no findings so far")
	}
	return m.finding(&list[len(list)-1], true)
}
