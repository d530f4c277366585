package page

import (
	"bufio"
	"io"
	"strconv"

	"github.com/rdmacap/rdmacap/report/page/markup"
	"github.com/rdmacap/rdmacap/report/page/visible"
)

// writeWords writes the words of a page. A template would be shorter, but with
// text/template the linker keeps every exported method of every type in the program,
// a sixth of it, as a template might call it by name.
func writeWords(out io.Writer, d *Document) error {
	w := words{bufio.NewWriter(out)}
	w.header(d)
	w.mark("<main>\n")
	w.verdict(d)
	w.picture()
	w.title("findings", "Findings")
	w.rules(d.Rules)
	w.pieces(d.Findings, d.NoFindings)
	w.title("connections", "Connections")
	w.pieces(d.Connections, d.NoConnections)
	w.rpcs(d.RPCs)
	w.leftOut(d)
	w.mark("</main>\n<footer><p>Made ")
	w.text(d.Made)
	w.mark(" by rdmacap ")
	w.text(d.Version)
	w.mark("</p></footer>\n")
	return w.out.Flush() // what failed before, fails here
}

// words are where HTML is written to: what is not a constant of this program goes through
// text.
type words struct{ out *bufio.Writer }

func (w words) mark(html visible.HTML) { _, _ = w.out.WriteString(string(html)) } // Flush says what failed

func (w words) text(t visible.Text) { w.mark(t.HTML()) }

func (w words) number(n int64) { w.mark(visible.HTML(strconv.FormatInt(n, 10))) }

func (w words) header(d *Document) {
	w.mark("<body>\n<header id=\"top\">\n<h1>")
	w.text(d.Title)
	w.mark("</h1>\n<p class=\"files\">")
	for i, f := range d.Files {
		if i > 0 {
			w.mark(", ")
		}
		w.mark(`<span class="file">`)
		w.text(f)
		w.mark("</span>")
	}
	w.mark("</p>\n<p class=\"span\">")
	w.text(d.Span)
	w.mark(`</p>
<noscript><p class="noscript">Without its script this page has only text: no picture, ladder diagrams, bytes, charts or list of RPCs.</p></noscript>
</header>
<nav id="menu" aria-label="Sections"><a href="#verdict">Verdict</a> <a href="#picture">Picture</a> <a href="#findings">Findings</a> <a href="#connections">Connections</a> <a href="#rpcs">RPCs</a> <a href="#left-out">Not included</a></nav>
`)
}

// title begins a section, which has to be ended.
func (w words) title(id, title visible.HTML) {
	w.mark(`<section id="` + id + `" aria-labelledby="` + id + "-title\">\n<h2 id=\"" + id + `-title">` + title + "</h2>\n")
}

func (w words) verdict(d *Document) {
	w.title("verdict", "Verdict")
	w.mark(`<p class="verdict `)
	w.text(visible.Text(d.Worst))
	w.mark(`">`)
	for i, v := range d.Verdict {
		if i > 0 {
			w.mark(" ")
		}
		w.text(v)
	}
	w.mark("</p>\n<p class=\"counts\">")
	w.text(d.Counts)
	w.mark("</p>\n")
	w.mark(d.Calls)

	w.mark("</section>\n")
}

func (w words) rules(list []RuleCount) {
	if len(list) == 0 {
		return
	}
	w.mark(`<div class="scroll"><table class="by-rule"><caption>Findings by rule, each with the first of them</caption>
<thead><tr><th scope="col">severity</th><th scope="col">rule</th><th scope="col">what is wrong</th><th scope="col" class="number">findings</th><th scope="col">first</th></tr></thead>
<tbody>`)
	for _, r := range list {
		w.row(r.Severity)
		w.mark("<td>")
		w.severity(r.Severity)
		w.mark(`</td><th scope="row"><span class="rule">`)
		w.text(visible.Text(r.ID))
		w.mark("</span></th><td>")
		w.text(r.Title)
		w.mark(`</td><td class="number">`)
		w.number(r.Findings)
		w.mark("</td><td>")
		w.first(int64(r.First))
		w.mark("</td></tr>\n")
	}
	w.mark("</tbody></table></div>\n")
}

// row begins a row of a severity.
func (w words) row(severity string) {
	w.mark(`<tr class="`)
	w.text(visible.Text(severity))
	w.mark(`">`)
}

func (w words) severity(severity string) {
	w.mark(`<span class="severity `)
	w.text(visible.Text(severity))
	w.mark(`"><span class="sign" aria-hidden="true">`)
	w.text(visible.Text(markup.Sign(severity)))
	w.mark("</span> ")
	w.text(visible.Text(severity))
	w.mark("</span>")
}

// first is a link to the first finding of a rule.
func (w words) first(number int64) {
	if number == 0 {
		w.mark("not included")
		return
	}
	w.mark(`<a href="#finding-`)
	w.number(number)
	w.mark(`">finding `)
	w.number(number)
	w.mark("</a>")
}

// pieces ends a section with what markup made, or a paragraph where that is nothing.
func (w words) pieces(list []visible.HTML, nothing visible.Text) {
	for _, html := range list {
		w.mark(html)
	}
	if len(list) == 0 {
		w.mark("<p>")
		w.text(nothing)
		w.mark("</p>\n")
	}
	w.mark("</section>\n")
}

// picture is where the script draws all of the capture.
func (w words) picture() {
	w.title("picture", "The whole capture")
	w.mark(`<div class="picture coming"><p class="missing">The picture needs the script of this page and a browser of 2023 or later.</p></div>
</section>
`)
}

func (w words) rpcs(n int64) {
	w.title("rpcs", "RPCs")
	w.mark(`<p class="rpcs-count">`)
	w.number(n)
	w.mark(` RPCs in the capture.</p>
<div id="rpc-list"><p class="missing">The list needs the script of this page and a browser of 2023 or later.</p></div>
</section>
`)
}

func (w words) leftOut(d *Document) {
	w.title("left-out", "Not included")
	w.mark("<ul>")
	for _, t := range d.LeftOut {
		w.mark("<li>")
		w.text(t)
		w.mark("</li>\n")
	}
	if len(d.LeftOut) == 0 {
		w.mark("<li>All RPCs and findings of the capture are in this page.</li>\n")
	}
	w.mark("</ul>\n<p class=\"command\">To see everything: <code>")
	w.text(d.Command)
	w.mark("</code></p>\n</section>\n")
}
