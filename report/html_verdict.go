package report

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A headline is the worst finding of all, and of those the first.
type headline struct {
	finding *rules.Finding
	worst   rules.Severity
}

// see takes a finding that no other explains.
func (l *headline) see(f *rules.Finding, _ int64) {
	if w := f.Worst(); l.finding == nil || w > l.worst || w == l.worst && f.Time != 0 && f.Time < l.finding.Time {
		l.finding, l.worst = f, w
	}
}

// verdict says in a few sentences what is wrong, which peer did it and since when.
func (h *HTML) verdict() (list []page.Text) {
	e := &h.end
	all := sentence(e.tally.String() + between(scopeOf(e)))
	list = append(list, page.Text(strings.ToUpper(all[:1])+all[1:]))
	f := h.first.finding
	if f == nil {
		return list
	}
	who := "It"
	if c := f.Connection; f.HasFrom && c != nil {
		who = "On the side of the " + sender(c, f.From) + " it"
	}
	worst := "The worst is "
	if *e.tally.of(h.first.worst) > 1 {
		worst = "The first of the worst is "
	}
	worst += f.ID() + ", " + lower(findingTitle(f))
	since := ""
	if f.Time != 0 {
		since = fmt.Sprintf(" began %s after the start of the capture, in %s", string(field.AppendDuration(nil, h.since(f.Time))), h.say.frameName(f.Frame))
	}
	list = append(list, page.Text(worst+": "+sentence(f.Message)))
	if since != "" {
		if f.Count > 1 {
			since += fmt.Sprintf(", and was found %d times", f.Count)
		}
		list = append(list, page.Text(who+since+"."))
	}
	if n := len(f.Effects); n > 0 {
		list = append(list, page.Text(fmt.Sprintf("It explains %d of the other findings.", chainLength(f)-1)))
	}
	return list
}

func chainLength(f *rules.Finding) (n int) {
	walkFindings([]*rules.Finding{f}, func(*rules.Finding) { n++ })
	return n
}

// between puts a space before a text that goes on with "on".
func between(scope string) string {
	if strings.HasPrefix(scope, "on ") {
		return " " + scope
	}
	return scope
}

// lower begins with a small letter, unless the first word is a name.
func lower(s string) string {
	if len(s) > 1 && s[1] >= 'a' && s[1] <= 'z' {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

// document is the words of the page.
func (h *HTML) document() *page.Document {
	e := &h.end
	d := &page.Document{
		Title: page.Text(h.opts.Title), Made: page.Text(h.opts.Made.UTC().Format(time.RFC3339)), Version: page.Text(h.opts.Version),
		Verdict: h.verdict(), Findings: h.findings.HTML(true), Connections: h.connections.HTML(false),
		Command: page.Text(h.opts.Command), RPCs: e.RPCs,
	}
	for _, name := range h.opts.Names {
		d.Files = append(d.Files, page.Text(name))
	}
	if e.First != 0 {
		d.Span = page.Text(time.Unix(0, e.First).UTC().Format("2006-01-02 15:04:05.000000 UTC") + ", ")
	}
	// How long the reading took is not about the capture.
	summary, _, _ := strings.Cut(h.say.text(func(t *Text) { _ = t.Finish(e.Summary, e.elapsed) }), ", read in ")
	d.Span += page.Text(summary)
	for _, s := range rules.Severities() {
		d.Counts = append(d.Counts, page.Count{Severity: s.String(), Findings: *e.tally.of(s)})
	}
	d.Rules = h.rules.list()
	for i := range d.Rules {
		if len(h.findings.LeftOut) > 0 && !holdsFinding(d.Findings, d.Rules[i].First) {
			d.Rules[i].First = 0
		}
	}
	if worst := e.tally.worst(); worst > 0 {
		d.Worst = worst.String()
	}
	d.NoFindings, d.NoConnections = h.instead()
	d.LeftOut = h.leftOut()
	return d
}

// holdsFinding reports whether a finding is among those that had room, or below one.
func holdsFinding(list []template.HTML, number int) bool {
	id := fmt.Sprintf(`id="finding-%d"`, number)
	return slices.ContainsFunc(list, func(f template.HTML) bool { return strings.Contains(string(f), id) })
}

// instead is what stands where there are no findings, and no connections: those that
// had no room are not there either.
func (h *HTML) instead() (findings, connections page.Text) {
	const elsewhere = " had no room: see what is not here, below."
	findings, connections = "Nothing wrong was found. What could not be checked stands with each connection.", "No connection was found."
	switch {
	case h.numbered > 0:
		findings = "The findings" + elsewhere
	case h.end.shown.OfRules():
		findings = "The rules that were chosen found nothing wrong. What could not be checked stands with each connection."
	case h.end.shown.Least > rules.Note:
		findings = page.Text("Nothing was found, with " + h.end.shown.LeftOut() + " left out. What could not be checked stands with each connection.")
	}
	if len(h.connections.LeftOut) > 0 {
		connections = "The connections" + elsewhere
	}
	return findings, connections
}

// leftOut says what is not in the page.
func (h *HTML) leftOut() (list []page.Text) {
	t := h.page.Totals()
	add := func(format string, a ...any) { list = append(list, page.Text(fmt.Sprintf(format, a...))) }
	if t.RowsLeftOut > 0 {
		first := "none"
		if t.Rows > 0 {
			first = fmt.Sprintf("the first %d", t.Rows)
		}
		add("The list has %s of %d RPCs; %d more had no room.", first, h.end.RPCs, t.RowsLeftOut)
	}
	if h.end.RPCs > int64(t.Items) {
		add("Ladders and octets are here of %d RPCs and findings: of new findings first, then of the first RPCs of each connection, of a few of each kind and of slow ones.", t.Items)
	}
	for _, s := range rules.Severities() {
		if n := h.findings.LeftOut[int64(s)]; n > 0 {
			explain := "they explain"
			if n == 1 {
				explain = "it explains"
			}
			add("%s, with what %s, had no room.", appendCount(nil, n, s.String()), explain)
		}
	}
	var n int64
	for _, some := range h.connections.LeftOut {
		n += some
	}
	if n > 0 {
		add("%s had no room: first those without findings, then those with the fewest RPCs.", appendCount(nil, n, "connection"))
	}
	if h.page.SetsFull() {
		add("There are more different operations and chunk lists than the page keeps: filters by them do not find all RPCs.")
	}
	if h.page.ListsCut() {
		add("Some RPCs have more file handles, names or pieces of frames than the page keeps, or longer ones: filters by them do not find all RPCs.")
	}
	if h.uncounted > 0 {
		add("%s no charts: those without findings and with the fewest RPCs, or beyond %d at a time.", has(h.uncounted, "connection"), openSeries)
	}
	if h.unshown > 0 {
		add("%s no ladder and no octets: there was no room, or nothing of them was left.", has(h.unshown, "finding"))
	}
	for _, p := range h.end.problems {
		add("Not all could be read: %v.", p)
	}
	return list
}

// Write writes the page, after Finish.
func (h *HTML) Write(w io.Writer) error {
	h.meta.Title, h.meta.Version, h.meta.Made = h.opts.Title, h.opts.Version, h.opts.Made.UTC().Format(time.RFC3339)
	h.meta.Files, h.meta.Start, h.meta.RPCs, h.meta.Command = h.opts.Names, h.start(), h.end.RPCs, h.opts.Command
	if h.start() == 0 { // the capture has no times, and so its RPCs have none
		h.meta.Fields = slices.DeleteFunc(h.meta.Fields, func(f page.Field) bool { return f.Kind == "time" })
	}
	return h.page.Write(w, h.document(), &h.meta)
}

// has is "1 connection has", "2 connections have".
func has(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun + " has"
	}
	return string(appendCount(nil, n, noun)) + " have"
}
