package markup

import (
	"strings"
	"testing"
)

// TestCalls holds that nothing of a call becomes markup, that each has its links, and that of no calls nothing is reported.
func TestCalls(t *testing.T) {
	html := string(Calls(hostile, []Call{{hostile, []Part{{hostile, hostile}, {hostile, ""}}}, {"5 s", nil}}))
	holdsEscaped(t, html, 5)
	if n := strings.Count(html, "<li>"); n != 2 {
		t.Errorf("there are %d calls of 2: %s", n, html)
	}
	if html := Calls("slowest calls", nil); html != "" {
		t.Errorf("of no calls it says %s", html)
	}
}
