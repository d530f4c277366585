package markup

import "github.com/rdmacap/rdmacap/report/page/visible"

// A Call is one that took long or failed, after a label that says how long or how bad.
type Call struct {
	Label visible.Text
	Parts []Part
}

// Calls is a list of calls under a heading, nothing if there are none.
func Calls(heading visible.Text, list []Call) visible.HTML {
	if len(list) == 0 {
		return ""
	}
	var w words
	w.mark("<h3>")
	w.text(heading)
	w.mark("</h3>\n" + `<ul class="calls">`)
	for _, c := range list {
		w.mark(`<li><b class="took">`)
		w.text(c.Label)
		w.mark(`</b> <span class="at">`)
		w.parts(c.Parts)
		w.mark("</span></li>\n")
	}
	w.mark("</ul>\n")
	return visible.HTML(w)
}
