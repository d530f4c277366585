package page

import (
	"reflect"
	"strings"
	"testing"
)

// TestFindingHTML holds that nothing of a finding becomes markup, whichever field it
// stands in, and that each is shown.
func TestFindingHTML(t *testing.T) {
	const hostile = "<i \"'&\u202e\x00"
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
	if got := strings.Count(html, `&lt;i &#34;&#39;&amp;\u202e\x00`); got != fields {
		t.Errorf("%d of %d texts are shown and escaped:\n%s", got, fields, html)
	}
	if strings.Contains(html, "<i") || strings.ContainsAny(html, "\u202e\x00") {
		t.Errorf("the capture's markup is in %s", html)
	}
	if open, end := strings.Count(html, "<article"), strings.Count(html, "</article>"); open != 2 || end != 2 {
		t.Errorf("there are %d articles and %d ends", open, end)
	}
}
