package markup

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

// TestNumbered holds that a finding and those that it explains are numbered in the order of the page, each in all places
// where its number stands, and that nothing in a text is taken for such a place.
func TestNumbered(t *testing.T) {
	const taken = visible.Text("a \x01 b \x02 c \x03")
	deep := &Finding{Effect: true, Message: taken}
	f := &Finding{Message: taken, Where: []Part{{taken, string(taken)}}, Effects: []*Finding{{Effect: true, Effects: []*Finding{deep}}, {Effect: true}}}
	html := string(Numbered(f.HTML(), 7, Same("The same:", []visible.HTML{Place([]Part{{taken, "x"}}, &When{Known: true, First: 5, Last: 6}), "<i>2</i>"}, 3)))
	for what, pattern := range map[string]string{"ids": `id="finding-(\d+)"`, "links": `href="#finding-(\d+)"`, "texts": `>finding (\d+)<`} {
		var got []string
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(html, -1) {
			got = append(got, m[1])
		}
		if !slices.Equal(got, []string{"7", "8", "9", "10"}) {
			t.Errorf("%s are %q", what, got)
		}
	}
	if strings.ContainsAny(html, "\x01\x02\x03") || strings.Count(html, `a \x01 b \x02 c \x03`) != 5 {
		t.Errorf("texts are not shown as they are: %q", html)
	}
	const same = `<p class="same"><b>The same:</b> <span class="at" data-first="5" data-last="6"><a href="#x">a \x01 b \x02 c \x03</a></span>; <i>2</i> and 3 more</p>`
	if strings.Count(html, same) != 1 {
		t.Errorf("it lacks %s:\n%s", same, html)
	}
}
