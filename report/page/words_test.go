package page

import (
	"errors"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

// TestWords holds where words stand, and that no text is taken for markup, wherever it
// comes from.
func TestWords(t *testing.T) {
	const hostile = visible.Text("<b>\"'&\u202e")
	const shown = `&lt;b&gt;&#34;&#39;&amp;\u202e`
	var b strings.Builder
	if err := writeWords(&b, &Document{
		Title: hostile, Files: []visible.Text{hostile, "2"}, Made: hostile, Version: hostile, Span: hostile,
		Verdict: []visible.Text{hostile, "Second."}, Worst: string(hostile), Command: hostile, LeftOut: []visible.Text{hostile}, RPCs: 7,
		Counts: hostile, Calls: "<i>calls</i>",
		Rules:    []RuleCount{{string(hostile), "error", hostile, 3, 12}, {"X-001", "note", "A title.", 4, 0}},
		Findings: []visible.HTML{"<i>one</i>", "<i>two</i>"}, NoConnections: hostile,
	}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"<body>\n<header id=\"top\">\n<h1>" + shown + "</h1>\n<p class=\"files\"><span class=\"file\">" + shown + "</span>, <span class=\"file\">2</span></p>\n",
		"<h2 id=\"verdict-title\">Verdict</h2>\n<p class=\"verdict " + shown + "\">" + shown + " Second.</p>\n<p class=\"counts\">" + shown + "</p>\n<i>calls</i></section>\n",
		"<h2 id=\"findings-title\">Findings</h2>\n<div class=\"scroll\"><table class=\"by-rule\">",
		"<span class=\"rule\">" + shown + "</span></th><td>" + shown + "</td><td class=\"number\">3</td><td><a href=\"#finding-12\">finding 12</a></td></tr>\n",
		"<td>A title.</td><td class=\"number\">4</td><td>not included</td></tr>\n</tbody></table></div>\n<i>one</i><i>two</i></section>\n",
		"<h2 id=\"connections-title\">Connections</h2>\n<p>" + shown + "</p>\n</section>\n",
		"<p class=\"rpcs-count\">7 RPCs in the capture.</p>\n", "<ul><li>" + shown + "</li>\n</ul>\n<p class=\"command\">To see everything: <code>" + shown + "</code></p>\n",
		"</main>\n<footer><p>Made " + shown + " by rdmacap " + shown + "</p></footer>\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the words lack\n%s\nin\n%s", want, text)
		}
	}
	if strings.Contains(text, "<b>") || strings.Contains(text, "\u202e") {
		t.Errorf("something hostile is in the words:\n%s", text)
	}
}

// TestNoWords holds what stands where there is nothing.
func TestNoWords(t *testing.T) {
	var b strings.Builder
	if err := writeWords(&b, &Document{NoFindings: "None."}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"<p>None.</p>\n</section>\n", "<ul><li>All RPCs and findings of the capture are in this page.</li>\n</ul>\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the words lack %s", want)
		}
	}
	if strings.Contains(text, "<table") {
		t.Errorf("there is a table of nothing:\n%s", text)
	}
}

// nowhere takes nothing.
type nowhere struct{ err error }

func (f nowhere) Write([]byte) (int, error) { return 0, f.err }

// TestWordsFail holds that an error of who is written to is told.
func TestWordsFail(t *testing.T) {
	why := errors.New("no space left")
	if err := writeWords(nowhere{why}, &Document{}); !errors.Is(err, why) {
		t.Errorf("%v, want %v", err, why)
	}
}
