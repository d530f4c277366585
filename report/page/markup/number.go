package markup

import (
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

// Where a finding stands in the page, and where else it was found, is known when the capture is over;
// its HTML is made before that. These stand in it meanwhile: no text has them, for it reaches HTML as what can be seen.
const (
	nextNumber = "\x01" // of the finding that begins
	thisNumber = "\x02" // of the one that began last
	elsewhere  = "\x03" // where others are that say the same
)

// Numbered is the HTML of a finding and those that it explains with their numbers, from first on, and a paragraph that
// says where others are that say the same.
func Numbered(html visible.HTML, first int, same visible.HTML) visible.HTML {
	var b strings.Builder
	number := strconv.Itoa(first)
	for rest := string(html); ; {
		i := strings.IndexAny(rest, nextNumber+thisNumber+elsewhere)
		if i < 0 {
			b.WriteString(rest)
			return visible.HTML(b.String())
		}
		b.WriteString(rest[:i])
		switch rest[i : i+1] {
		case nextNumber:
			number = strconv.Itoa(first)
			first++
			b.WriteString(number)
		case thisNumber:
			b.WriteString(number)
		case elsewhere:
			b.WriteString(string(same))
		}
		rest = rest[i+1:]
	}
}

// Place is a place where another finding says the same, as HTML, and when that was found.
func Place(where []Part, when *When) visible.HTML {
	var w words
	w.mark(`<span class="at"`)
	w.when(when)
	w.mark(">")
	w.parts(where)
	w.mark("</span>")
	return visible.HTML(w)
}

// Same is a paragraph that says where others are that say the same: some of them, and how many more there are.
func Same(intro visible.Text, places []visible.HTML, more int64) visible.HTML {
	var w words
	w.mark(`<p class="same"><b>`)
	w.text(intro)
	w.mark("</b>")
	separator := " "
	for _, p := range places {
		w.mark(separator + string(p))
		separator = "; "
	}
	if more > 0 {
		w.mark(" and ")
		w.int(int(more))
		w.mark(" more")
	}
	w.mark("</p>\n")
	return visible.HTML(w)
}
