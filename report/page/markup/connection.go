package markup

import (
	"strconv"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

// A Connection is one of the connections of a page.
type Connection struct {
	Number  int
	Title   visible.Text
	Verdict visible.Text
	Worst   string
	Facts   []Fact
	// Ends is the private data of both ends and what follows from it.
	Ends       *Table
	Operations *Table
	// Unchecked is what could not be checked, and why.
	Unchecked []visible.Text
	// Charts says that there is a Series of it.
	Charts bool
}

// A Fact is a line of a list of names and values.
type Fact struct {
	Name  visible.Text
	Value visible.Text
}

// Short is a connection of which there is no room for more than who it is between, and how much was found.
func (c *Connection) Short() visible.HTML {
	var w words
	w.openConnection(c)
	w.mark("</p>\n" + `<p class="missing">The rest did not fit in the page.</p></section>` + "\n")
	return visible.HTML(w)
}

// openConnection writes what the page says of every connection, and leaves its paragraph open.
func (w *words) openConnection(c *Connection) {
	w.mark(`<section class="connection `)
	w.text(visible.Text(c.Worst))
	w.mark(`" id="connection-`)
	w.int(c.Number)
	w.mark(`" aria-labelledby="connection-`)
	w.int(c.Number)
	w.mark(`-title">` + "\n" + `<h3 id="connection-`)
	w.int(c.Number)
	w.mark(`-title">`)
	w.text(c.Title)
	w.mark(` <a class="self" href="#connection-`)
	w.int(c.Number)
	w.mark(`" aria-label="link to this connection">#</a></h3>` + "\n" + `<p class="connection-verdict">`)
	w.text(c.Verdict)
}

// HTML is a connection as it stands in the page.
func (c *Connection) HTML() visible.HTML {
	var w words
	w.openConnection(c)
	w.mark("</p>\n" + `<dl class="facts">`)
	for _, f := range c.Facts {
		w.mark("<dt>")
		w.text(f.Name)
		w.mark("</dt><dd>")
		w.text(f.Value)
		w.mark("</dd>\n")
	}
	w.mark("</dl>\n")
	w.table(`class="table ends" tabindex="0" role="region" aria-label="Private data of connection `+strconv.Itoa(c.Number)+`"`, c.Ends)
	if c.Charts {
		w.mark(`<div class="charts" data-connection="`)
		w.int(c.Number)
		w.mark(`"></div>` + "\n")
	}
	w.table(`class="table operations" tabindex="0" role="region" aria-label="Operations of connection `+strconv.Itoa(c.Number)+`"`, c.Operations)
	if len(c.Unchecked) > 0 {
		w.mark(`<div class="unchecked"><p>What could not be checked:</p>` + "\n<ul>")
		for _, t := range c.Unchecked {
			w.mark("<li>")
			w.text(t)
			w.mark("</li>\n")
		}
		w.mark("</ul></div>\n")
	}
	w.mark("</section>\n")
	return visible.HTML(w)
}
