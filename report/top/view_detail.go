package top

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/watch"
)

const (
	allLists focus = iota
	operations
	rpcs
	found
	lists // how many there are
)

// focused is how many lines the list has that is scrolled.
func (m *Model) focused() int {
	d := &m.snap.Detail
	switch m.focus {
	case operations:
		return len(d.Operations)
	case found:
		return len(m.findingLines(true))
	}
	return len(m.chosenRPCs())
}

// viewDetail shows one connection.
func (m *Model) viewDetail() []string {
	d := &m.snap.Detail
	if !d.Found || d.Row.ID != m.open {
		return m.fill([]string{m.title("connection #" + count(int64(m.open))), "", "it has ended and is no longer listed"}, []string{m.keys()})
	}
	r := &d.Row
	what := "connection #" + count(int64(r.ID)) + "  " + r.Transport
	if r.Service != "" {
		what += "  " + r.Service
	}
	lines := []string{m.title(what), whole(&r.Client) + " → " + whole(&r.Server)}
	if s := state(r); s != "" {
		lines = append(lines, m.style.odd.Render(s))
	} else {
		lines = append(lines, m.traffic(&r.Now))
	}
	lines = append(lines, m.credits(r)+"  "+m.troubles(r), m.since(d))
	foot := []string{m.message(0, 0), m.keys()}
	return m.fill(m.lists(lines, m.height-len(foot)), foot)
}

// credits says how many are used of those granted.
func (m *Model) credits(r *watch.Row) string {
	text := "credits " + count(int64(r.Open)) + " now, " + count(int64(r.Now.MostOpen)) + " at most"
	if r.HasGranted {
		return text + ", of " + count(int64(r.Granted)) + " granted"
	}
	return text + ", no grant seen"
}

// troubles is what went wrong on a connection.
func (m *Model) troubles(r *watch.Row) string {
	text := "retransmitted " + count(r.Retransmissions) + "  lost " + count(r.LostOnWire) + "  missing " + count(r.Missing)
	if r.Retransmissions+r.LostOnWire+r.Missing > 0 {
		return m.style.odd.Render(text)
	}
	return text
}

// since is what the connection came to so far.
func (m *Model) since(d *watch.Detail) string {
	f := &d.Since
	return m.style.dim.Render("so far " + field.Counted(d.Row.RPCs, "RPC") + ", " + field.Counted(d.Row.Frames, "frame") + ", p50 " + latency(f, f.P50) + " p99 " + latency(f, f.P99) + " max " + latency(f, f.Max))
}

// lists appends the lists, as far as there is room.
func (m *Model) lists(lines []string, height int) []string {
	room := height - len(lines)
	ops, calls, says := m.operationLines(), m.chosenRPCs(), m.findingLines(m.focus == found)
	noRPCs, noFindings := "no RPCs so far", "no findings so far"
	if m.looked != "" {
		noRPCs, noFindings = "none with "+m.looked, "none with "+m.looked
	}
	few := func(n int) int { return min(max(n, 1), room/4) }
	switch m.focus {
	case operations:
		end := max(min(room-1, len(ops)), len(ops)-m.scroll)
		return m.list(lines, operationTitle, ops[:end], room, "no RPCs so far")
	case rpcs:
		return m.list(lines, m.rpcTitle(), m.rpcLines(back(calls, m.scroll, room-1)), room, noRPCs)
	case found:
		return m.list(lines, m.findingTitle(), back(says, m.scroll, room-1), room, noFindings)
	}
	a, c := few(len(ops)), few(len(says))
	lines = m.list(lines, operationTitle, ops[:min(a, len(ops))], 1+a, "no RPCs so far")
	b := room - a - c - 3
	lines = m.list(lines, m.rpcTitle(), m.rpcLines(back(calls, m.scroll, b)), 1+b, noRPCs)
	return m.list(lines, m.findingTitle(), last(says, c), 1+c, noFindings)
}

// list appends the title of a list and its last lines, so many in all.
func (m *Model) list(to []string, title string, lines []string, room int, none string) []string {
	to = append(to, m.style.heading.Render(pad(title, m.width, true)))
	if len(lines) == 0 {
		lines = []string{m.style.dim.Render(none)}
	}
	to = append(to, last(lines, room-1)...)
	for n := room - 1 - len(lines); n > 0; n-- {
		to = append(to, "")
	}
	return to
}

// back are the last n but so many that were scrolled over, always a full page if there are
// as many.
func back[T any](list []T, scrolled, n int) []T {
	end := max(min(n, len(list)), len(list)-scrolled)
	return last(list[:end], n)
}

// last are the last n.
func last[T any](list []T, n int) []T { return list[max(0, len(list)-max(0, n)):] }

const operationTitle = "operation                  calls failed    p50    p99    max      read    write"

// operationLines are the operations, the most called first.
func (m *Model) operationLines() (lines []string) {
	for i := range m.snap.Detail.Operations {
		o := &m.snap.Detail.Operations[i]
		f := watch.Figures{Answered: o.Answered}
		lines = append(lines, pad(o.Name, 24, true)+" "+pad(count(o.Calls), 7, false)+" "+pad(unlessZero(o.Failed), 6, false)+" "+
			pad(latency(&f, o.P50), 6, false)+" "+pad(latency(&f, o.P99), 6, false)+" "+pad(latency(&f, o.Max), 6, false)+" "+
			pad(byteSize(o.ReadBytes), 9, false)+" "+pad(byteSize(o.WriteBytes), 8, false))
	}
	return lines
}

// byteSize are those that RDMA moved.
func byteSize(n uint64) string {
	if n == 0 {
		return ""
	}
	if n < 1e6 {
		return count(int64(n/1e3)) + " kB"
	}
	return count(int64(n/1e6)) + " MB"
}

// chosenRPCs are those with the text that is looked for.
func (m *Model) chosenRPCs() (list []*watch.RPC) {
	for i := range m.snap.Detail.RPCs {
		r := &m.snap.Detail.RPCs[i]
		if m.looked == "" || contains(m.looked, xid(r), r.Name, r.Travel, r.Status, r.Operations) {
			list = append(list, r)
		}
	}
	return list
}

func xid(r *watch.RPC) string { return string(field.AppendHex(nil, uint64(r.XID), 8)) }

// rpcTitle are the columns of RPCs; times have milliseconds where there is room.
func (m *Model) rpcTitle() string {
	return pad("time", ansi.StringWidth(m.time(0)), true) + " XID        procedure          latency status"
}

func (m *Model) time(ns int64) string {
	if m.width < wide {
		return at(ns)
	}
	return time.Unix(0, ns).UTC().Format("15:04:05.000000")
}

// rpcLines are RPCs in words.
func (m *Model) rpcLines(list []*watch.RPC) (lines []string) {
	for _, r := range list {
		took, name := "-", r.Name
		if r.Latency >= 0 {
			took = span(r.Latency)
		}
		if r.Reverse {
			name = "◂" + name // the server called
		}
		status := r.Status
		switch {
		case r.Failed:
			status = m.style.bad.Render(status)
		case !r.Complete:
			status = m.style.odd.Render("incomplete: " + status)
		}
		line := m.time(r.Time) + " " + xid(r) + " " + pad(name, 18, true) + " " + pad(took, 7, false) + " " + status
		if r.Operations != "" {
			line += "  " + r.Operations
		}
		lines = append(lines, line)
	}
	return lines
}

// findingTitle says how many findings there are: the newest are listed.
func (m *Model) findingTitle() string {
	if text := findings(m.snap.Detail.Row.Findings); text != "" {
		return "findings " + text
	}
	return "findings"
}

// findingLines are the findings, one a line or wrapped.
func (m *Model) findingLines(wrapped bool) (lines []string) {
	for i := range m.snap.Detail.Findings {
		f := &m.snap.Detail.Findings[i]
		if m.looked != "" && !contains(m.looked, f.Rule, f.Message) {
			continue
		}
		line := m.finding(f, false)
		if !wrapped {
			lines = append(lines, line)
			continue
		}
		lines = append(lines, strings.Split(ansi.Wrap(line, m.width, ""), "\n")...)
	}
	return lines
}
