package markup

import (
	"strconv"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

// A Part is a piece of a line, with what it links to in the page: "frame-12". It is
// no link if that is "".
type Part struct {
	Text visible.Text
	Link string
}

// words are HTML: what is not a constant of this program goes through text.
type words []byte

func (w *words) mark(markup string) { *w = append(*w, markup...) }
func (w *words) int(n int)          { *w = strconv.AppendInt(*w, int64(n), 10) }

// text appends text, also inside an attribute in double quotes.
func (w *words) text(t visible.Text) { w.mark(string(t.HTML())) }

// of appends text between markup, nothing if there is no text.
func (w *words) of(before string, t visible.Text, behind string) {
	if t != "" {
		w.mark(before)
		w.text(t)
		w.mark(behind)
	}
}

func (w *words) parts(list []Part) {
	for _, p := range list {
		if p.Link == "" {
			w.text(p.Text)
			continue
		}
		w.mark(`<a href="#`)
		w.text(visible.Text(p.Link))
		w.mark(`">`)
		w.text(p.Text)
		w.mark("</a>")
	}
}

// table appends a table in a division with attributes, nothing for nil.
func (w *words) table(attributes string, t *Table) {
	if t == nil {
		return
	}
	w.mark("<div " + attributes + "><table>")
	w.of("<caption>", t.Caption, "</caption>")
	w.mark("\n" + string(t.Inside()) + "</table>\n</div>\n")
}
