package html

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/html/series"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/report/page/visible"
	"github.com/rdmacap/rdmacap/report/words"
)

// verdict is what is to be reported first.
func (h *Page) verdict() (list []visible.Text) {
	for _, s := range h.end.Verdict {
		list = append(list, visible.Text(s))
	}
	return list
}

// counts is how much was found.
func (h *Page) counts() visible.Text {
	shown, _ := h.end.Counts()
	all := words.Sentence(shown + between(words.ScopeOf(&h.end)))
	return visible.Text(strings.ToUpper(all[:1]) + all[1:])
}

// between puts a space before a text that goes on with "on".
func between(scope string) string {
	if strings.HasPrefix(scope, "on ") {
		return " " + scope
	}
	return scope
}

// document is the words of the page.
func (h *Page) document() *page.Document {
	e := &h.end
	d := &page.Document{
		Title: visible.Text(h.opts.Title), Made: visible.Text(h.opts.Made.UTC().Format(time.RFC3339)), Version: visible.Text(h.opts.Version),
		Verdict: h.verdict(), Counts: h.counts(), Calls: h.calls(), Findings: h.pieces(), Connections: h.shelf.HTML(),
		Command: visible.Text(h.opts.Command), RPCs: e.RPCs,
	}
	for _, name := range h.opts.Names {
		d.Files = append(d.Files, visible.Text(name))
	}
	if e.First != 0 {
		d.Span = visible.Text(time.Unix(0, e.First).UTC().Format("2006-01-02 15:04:05.000000 UTC") + ", ")
	}
	d.Span += visible.Text(words.AppendCapture(words.AppendExtent(nil, &e.Summary), words.Inks{}, &e.Summary))
	d.Rules = h.rules.list()
	if worst := e.Tally.Worst(); worst > 0 {
		d.Worst = worst.String()
	}
	d.NoFindings, d.NoConnections = h.instead()
	d.LeftOut = h.leftOut()
	return d
}

// instead is what stands where there are no findings, and no connections: those that
// had no room are not there either.
func (h *Page) instead() (findings, connections visible.Text) {
	const elsewhere = " did not fit; see “Not included” below."
	findings, connections = "Nothing wrong was found. What could not be checked is listed with each connection.", "No connection was found."
	switch {
	case len(h.found.LeftOut) > 0:
		findings = "The findings" + elsewhere
	case h.end.Connections == 0:
		findings = "Nothing was checked."
	case h.end.Shown.OfRules():
		findings = "The selected rules found nothing wrong. What could not be checked is listed with each connection."
	case h.end.Hidden != finding.Tally{}:
		shown, hidden := h.end.Counts()
		findings = visible.Text(words.Sentence(shown+hidden) + " What could not be checked is listed with each connection.")
	}
	if len(h.shelf.LeftOut) > 0 {
		connections = "The connections" + elsewhere
	}
	return findings, connections
}

// leftOut says what is not in the page.
func (h *Page) leftOut() (list []visible.Text) {
	t := h.page.Totals()
	add := func(format string, a ...any) { list = append(list, visible.Text(fmt.Sprintf(format, a...))) }
	if t.RowsLeftOut > 0 {
		if t.Rows > 0 {
			add("The list has the first %d of %d RPCs; %d more did not fit.", t.Rows, h.end.RPCs, t.RowsLeftOut)
		} else {
			add("The list has none of the %d RPCs: they did not fit.", h.end.RPCs)
		}
	}
	if h.end.RPCs > int64(t.Items) {
		add("The page has ladders and bytes of %d RPCs and findings: first those of new findings, then of the first RPCs of each connection, of a few of each kind and of slow ones.", t.Items)
	}
	for _, s := range finding.Severities() {
		if n := h.found.LeftOut[s]; n > 0 {
			explain := "they explain"
			if n == 1 {
				explain = "it explains"
			}
			add("%s, with what %s, did not fit.", words.AppendCount(nil, n, s.String()), explain)
		}
	}
	var n int64
	for _, some := range h.shelf.LeftOut {
		n += some
	}
	if short := h.shelf.Short(); short > 0 {
		add("%s only with endpoints and number of findings: the rest did not fit. Those without findings were reduced first, then those with the fewest RPCs.", words.AppendCount(nil, short, "connection"))
	}
	if n > 0 {
		add("%s did not fit. Those without findings were left out first, then those with the fewest RPCs.", words.AppendCount(nil, n, "connection"))
	}
	if h.page.SetsFull() {
		add("There are more distinct operations and chunk lists than the page keeps: filters by them do not find all RPCs.")
	}
	if h.page.ListsCut() {
		add("Some RPCs have more file handles, names or pieces of frames than the page keeps, or longer ones: filters by them do not find all RPCs.")
	}
	if n := h.series.LeftOut(); n > 0 {
		add("%s no charts: those without findings and with the fewest RPCs, or those beyond %d open at a time.", has(n, "connection"), series.OpenAtOnce)
	}
	if h.requests.unshown > 0 {
		add("%s no ladder and no bytes: they did not fit, or their frames were no longer in memory.", has(h.requests.unshown, "finding"))
	}
	for _, p := range h.end.Problems {
		add("Not everything could be read: %v.", p)
	}
	return list
}

// Write writes the page, after Finish.
func (h *Page) Write(w io.Writer) error {
	h.meta.Title, h.meta.Version, h.meta.Made = h.opts.Title, h.opts.Version, h.opts.Made.UTC().Format(time.RFC3339)
	h.meta.Frames, h.meta.Seen = h.end.Frames, h.end.Connections
	h.meta.Files, h.meta.Start, h.meta.RPCs, h.meta.Command = h.opts.Names, h.start(), h.end.RPCs, h.opts.Command
	if h.start() == 0 { // the capture has no times, and so its RPCs have none
		h.meta.Fields = slices.DeleteFunc(h.meta.Fields, func(f page.Field) bool { return f.Kind == "time" })
	}
	d := h.document()
	h.meta.Findings = h.numbers.table() // the document has given them their numbers
	return h.page.Write(w, d, &h.meta)
}

// has is "1 connection has", "2 connections have".
func has(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun + " has"
	}
	return string(words.AppendCount(nil, n, noun)) + " have"
}
