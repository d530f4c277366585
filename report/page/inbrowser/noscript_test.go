package inbrowser

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/browser"
	"github.com/rdmacap/rdmacap/internal/long"
)

// messages are what check says of a capture, a sentence a finding.
func messages(t *testing.T, capture string) (list []string) {
	t.Helper()
	for line := range strings.Lines(must(t, "check", "-q", "--fail-on", "never", "--format", "ndjson", capture)) {
		var f struct{ Type, Message string }
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		if f.Type == "finding" {
			list = append(list, f.Message)
		}
	}
	if len(list) == 0 {
		t.Fatalf("check says nothing of %s", capture)
	}
	return list
}

// browserWithoutScript holds that the words are all there without the script, and
// that the page says what is missing.
func browserWithoutScript(t *testing.T, b *browser.Browser) {
	for _, name := range long.Pick([]string{"siw-perftest"}, []string{"version2-roce", "siw-perftest"}) {
		path := reportIn(t, sample(name))
		p := b.Page(t)
		p.Script(false)
		p.Open(address(path))
		words := p.Text(`document.body.innerText`)
		want := append(messages(t, sample(name)), "Without its script this page has only text", "Verdict", "Connections", "Not included", "192.0.2.1")
		for _, m := range want {
			if !strings.Contains(words, m[1:]) { // a message begins with a capital there
				t.Errorf("%s: %q is not there without script", name, m)
			}
		}
		if p.Is(`document.querySelector("canvas, .ladder, .rpc-grid")`) {
			t.Errorf("%s: the script ran", name)
		}
		quiet(t, p, path)

		whole := opened(t, b, path, "")
		if with := whole.Text(`document.querySelector("#findings").innerText`); strings.Contains(with, "Without its script") {
			t.Errorf("%s: with its script the page says that it has none", name)
		}
	}
}
