package markup

import (
	"reflect"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

const hostile = "<i \"'&\u202e\x00"

// TestFindingHTML holds that nothing of a finding becomes markup, whichever field it
// stands in, and that each is shown.
func TestFindingHTML(t *testing.T) {
	effect := &Finding{Effect: true}
	f := &Finding{Effects: []*Finding{effect}}
	fields := 0
	for _, x := range []*Finding{f, effect} {
		x.Where, x.Repeated = []Part{{hostile, hostile}, {hostile, ""}}, []Part{{hostile, ""}}
		x.Values, x.Consequences = []Value{{hostile, hostile, hostile}}, [][]Part{{{hostile, hostile}}}
		fields += 3 + 1 + 3 + 2
		v := reflect.ValueOf(x).Elem()
		for i := range v.NumField() {
			if v.Field(i).Kind() == reflect.String {
				v.Field(i).SetString(hostile)
				fields++
			}
		}
		fields += 3 // severity and rule stand in the headline and in attributes
	}
	html := string(f.HTML())
	holdsEscaped(t, html, fields)
	if open, end := strings.Count(html, "<article"), strings.Count(html, "</article>"); open != 2 || end != 2 {
		t.Errorf("there are %d articles and %d ends", open, end)
	}
}

// TestConnectionHTML holds the same for a connection.
func TestConnectionHTML(t *testing.T) {
	c := &Connection{
		Title: hostile, Verdict: hostile, Worst: hostile, Facts: []Fact{{hostile, hostile}}, Unchecked: []visible.Text{hostile},
		Ends:       &Table{Caption: hostile, Columns: []Column{{Name: hostile}}, Rows: [][]visible.Text{{hostile}}},
		Operations: &Table{Columns: []Column{{Name: hostile}, {}}, Rows: [][]visible.Text{{"", hostile}}},
	}
	html := string(c.HTML())
	holdsEscaped(t, html, 11)
	if strings.Count(html, "<caption>") != 1 || strings.Contains(html, "charts") {
		t.Errorf("there is a caption without text, or charts without data: %s", html)
	}
	c.Charts = true
	if !strings.Contains(string(c.HTML()), "charts") {
		t.Error("there is no place for the charts")
	}
}

// holdsEscaped fails unless so many hostile texts are shown, and nothing of them is
// markup.
func holdsEscaped(t *testing.T, html string, texts int) {
	t.Helper()
	if got := strings.Count(html, `&lt;i &#34;&#39;&amp;\u202e\x00`); got != texts {
		t.Errorf("%d of %d texts are shown and escaped:\n%s", got, texts, html)
	}
	if strings.Contains(html, "<i") || strings.ContainsAny(html, "\u202e\x00") {
		t.Errorf("the capture's markup is in %s", html)
	}
}
