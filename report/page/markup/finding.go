// Package markup makes HTML of findings, connections and tables, and keeps as much of it as there
// is room for.
package markup

import (
	"github.com/rdmacap/rdmacap/report/page/visible"
)

// A Finding is one of the findings of a page, with those that it explains.
type Finding struct {
	// ID is the rule's with the letter, Severity a word.
	ID, Severity string
	Title        visible.Text
	Message      visible.Text
	Where        []Part
	Values       []Value
	Bytes        visible.Text
	Doubt        visible.Text
	Repeated     []Part
	Consequences [][]Part
	Meaning, Why visible.Text
	Advice       visible.Text
	// When is what the picture of the capture shows of it.
	When      When
	Reference visible.Text
	// Evidence are the numbers of its Items.
	Evidence []int
	Effects  []*Finding
	// Effect says that another explains it.
	Effect bool
}

// A Value is one that was observed, and what was expected or "".
type Value struct{ Name, Observed, Expected visible.Text }

// Sign is a severity as a sign, for readers who cannot tell colours apart.
func Sign(severity string) string {
	switch severity {
	case "error":
		return "✖"
	case "warning":
		return "▲"
	case "note":
		return "●"
	}
	return "✔"
}

// HTML is a finding and those that it explains, as they stand in the page but for their numbers and
// what Numbered adds. There may be thousands, for which a template would take many times as long.
func (f *Finding) HTML() visible.HTML {
	var w words
	w.finding(f)
	return visible.HTML(w)
}

func (w *words) finding(f *Finding) {
	w.mark(`<article class="finding `)
	w.text(visible.Text(f.Severity))
	if f.Effect {
		w.mark(" effect")
	}
	w.mark(`" id="finding-` + nextNumber + `" data-rule="`)
	w.text(visible.Text(f.ID))
	w.mark(`" data-evidence="`)
	for i, n := range f.Evidence {
		if i > 0 {
			w.mark(",")
		}
		w.int(n)
	}
	w.mark(`"`)
	w.when(&f.When)
	w.mark(">\n")
	w.headline(f)
	w.mark(`<p class="message">`)
	w.text(f.Message)
	w.mark("</p>\n" + `<p class="where">`)
	w.parts(f.Where)
	w.mark("</p>\n")
	w.of(`<p class="doubt"><b>Likely, not certain:</b> `, f.Doubt, "</p>\n")
	if f.Effect {
		// Whoever looks for the cause reads what came of it only if it is asked for.
		w.mark(`<details class="more"><summary>Values, meaning, packets and bytes</summary>` + "\n")
		w.rest(f)
		w.mark("</details>\n")
	} else {
		w.mark(elsewhere)
		w.rest(f)
	}
	if len(f.Effects) > 0 {
		w.mark(`<div class="effects"><p class="explains">This explains:</p>` + "\n")
		for _, e := range f.Effects {
			w.finding(e)
		}
		w.mark("</div>\n")
	}
	w.mark("</article>\n")
}

// rest is what is reported of a finding but what and where it is, and whether that is certain.
func (w *words) rest(f *Finding) {
	w.values(f.Values)
	w.of(`<p class="bytes-at"><b>Bytes at fault:</b> `, f.Bytes, "</p>\n")
	w.followed(f)
	w.of(`<p class="advice"><b>What to do:</b> `, f.Advice, "</p>\n")
	w.explanation(f)
	w.mark(`<div class="views"></div>` + "\n")
}

func (w *words) headline(f *Finding) {
	w.mark(`<h3><span class="severity `)
	w.text(visible.Text(f.Severity))
	w.mark(`"><span class="sign" aria-hidden="true">` + Sign(f.Severity) + "</span> ")
	w.text(visible.Text(f.Severity))
	w.mark(`</span> <span class="rule">`)
	w.text(visible.Text(f.ID))
	w.mark(`</span> <span class="title">`)
	w.text(f.Title)
	w.mark(`</span> <a class="self named" href="#finding-` + thisNumber + `">finding ` + thisNumber + "</a></h3>\n")
}

func (w *words) values(list []Value) {
	if len(list) == 0 {
		return
	}
	expected := false
	for _, v := range list {
		expected = expected || v.Expected != ""
	}
	w.mark(`<table class="values"><caption>Observed`)
	if expected {
		w.mark(" and expected")
	}
	w.mark(" values</caption>\n" + `<thead><tr><th scope="col">value</th><th scope="col">observed</th>`)
	if expected {
		w.mark(`<th scope="col">expected</th>`)
	}
	w.mark("</tr></thead>\n<tbody>")
	for _, v := range list {
		w.mark(`<tr><th scope="row">`)
		w.text(v.Name)
		w.mark(`</th><td class="observed">`)
		w.text(v.Observed)
		if expected {
			w.mark(`</td><td class="expected">`)
			w.text(v.Expected)
		}
		w.mark("</td></tr>\n")
	}
	w.mark("</tbody></table>\n")
}

// followed is how often it was found, and what came of it.
func (w *words) followed(f *Finding) {
	if len(f.Repeated) > 0 {
		w.mark(`<p class="repeated">`)
		w.parts(f.Repeated)
		w.mark("</p>\n")
	}
	if len(f.Consequences) > 0 {
		w.mark(`<p class="then">What followed:</p>` + "\n" + `<ul class="consequences">`)
		for _, c := range f.Consequences {
			w.mark("<li>")
			w.parts(c)
			w.mark("</li>\n")
		}
		w.mark("</ul>\n")
	}
}

func (w *words) explanation(f *Finding) {
	switch {
	case f.Effect: // it stands in what was opened
		w.mark(`<div class="explanation">`)
	case f.Severity == "note":
		w.mark(`<details class="explanation"><summary>What it means and why it matters</summary>`)
	default:
		w.mark(`<details class="explanation" open><summary>What it means and why it matters</summary>`)
	}
	w.mark("\n" + `<p class="meaning">`)
	w.text(f.Meaning)
	w.mark("</p>\n" + `<p class="why">`)
	w.text(f.Why)
	w.mark("</p>\n")
	if f.Effect {
		w.mark("</div>\n")
	} else {
		w.mark("</details>\n")
	}
	w.mark(`<p class="reference"><b>Reference:</b> `)
	w.text(f.Reference)
	w.mark("</p>\n")
}
