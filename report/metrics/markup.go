package metrics

import (
	"html"
	"strconv"
)

// A markup is HTML: what is not a constant of this program goes through text. A template
// would be shorter, but with text/template the linker keeps every exported method of every
// type in the program, a sixth of it, as a template might call it by name.
type markup []byte

func (w *markup) mark(html string) { *w = append(*w, html...) }

// text appends text, also inside an attribute in quotes.
func (w *markup) text(s string) { w.mark(html.EscapeString(s)) }

// write appends text between markup.
func (w *markup) write(before, text, behind string) {
	w.mark(before)
	w.text(text)
	w.mark(behind)
}

// page is all of the page.
func (s *shown) page() []byte {
	var w markup
	w.mark(`<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="10">
`)
	w.write("<title>rdmacap live: ", s.State, "</title>\n")
	w.mark("<style>" + pageStyle + "</style>\n")
	w.write("<h1>rdmacap live <small>", s.Version, "</small></h1>\n")
	class := "bad"
	if s.Ready {
		class = "good"
	}
	w.write(`<p class="`+class+`">`, s.State, "</p>\n")
	w.mark(`<p>The same values: <a href="/metrics">/metrics</a> for Prometheus. State: <a href="/healthz">/healthz</a>, <a href="/readyz">/readyz</a>.</p>
`)
	w.group(s.Figures)
	w.mark("<h2>RPCs by operation</h2>\n")
	w.operations(s)
	w.mark("<h2>This process</h2>\n")
	w.group(s.Process)
	return w
}

// group is a table of metrics, those with labels with a row for each series.
func (w *markup) group(list []family) {
	w.mark("<table>\n")
	for i := range list {
		f := &list[i]
		if len(f.Rows) == 0 {
			w.write(`<tr><td title="`, f.Name, `">`)
			w.text(f.Help)
			w.write(`<td class="n">`, f.Value, "\n")
			continue
		}
		w.write(`<tr><th colspan="2" title="`, f.Name, `">`)
		w.text(f.Help)
		if f.Zeros > 0 {
			w.mark(" " + strconv.Itoa(f.Zeros) + " that are 0 are left out.")
		}
		w.mark("\n")
		for _, r := range f.Rows {
			w.write("<tr><td>", r.Labels, "")
			w.write(`<td class="n">`, r.Value, "\n")
		}
	}
	w.mark("</table>\n")
}

// operations is a table with a column for each metric of operations.
func (w *markup) operations(s *shown) {
	w.mark("<table>\n<tr><th>Operation")
	for _, c := range s.Columns {
		w.write(`<th class="n">`, c, "")
	}
	w.mark("\n")
	for _, o := range s.Operations {
		w.write("<tr><td>", o.Name, "")
		for _, v := range o.Values {
			w.write(`<td class="n">`, v, "")
		}
		w.mark("\n")
	}
	w.mark("</table>\n")
}
