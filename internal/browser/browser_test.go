package browser

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// noisy is a page that does all that a quiet page does not.
const noisy = `<!doctype html><html lang="en"><meta charset="utf-8"><title>noisy</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'">
<button onclick="this.textContent = 'clicked'">a button</button> <input aria-label="an input">
<script>
console.log("some", 1);
addEventListener("keydown", (e) => { if (e.key === "End") document.title = "End " + e.shiftKey; });
addEventListener("mouseup", (e) => { document.title = "up at " + e.clientX; });
setTimeout(() => { throw new Error("thrown"); });
setTimeout(() => alert("a dialog"), 20);
document.body.append(Object.assign(new Image(), { src: "https://rdmacap.invalid/x.png" }));
</script><img src="x.png"></html>`

func noisyPage(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "noisy.html")
	if err := os.WriteFile(path, []byte(noisy), 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

func TestPage(t *testing.T) {
	b := Start(t)
	t.Run("Heard", func(t *testing.T) { heard(t, b.Page(t)) })
	t.Run("Input", func(t *testing.T) { input(t, b.Page(t)) })
	t.Run("View", func(t *testing.T) { view(t, b.Page(t)) })
}

// A test that hears nothing is only worth something if it would hear.
func heard(t *testing.T, p *Page) {
	p.Open(noisyPage(t))
	want := []string{"console log: some 1", "Error: thrown", "dialog alert: a dialog", "Content Security Policy"}
	said := p.WaitForMessages(want...)
	for _, want := range want {
		if !strings.Contains(said, want) {
			t.Errorf("%q was not heard in\n%s", want, said)
		}
	}
	if requests := p.Requests(); !slices.ContainsFunc(requests, func(s string) bool { return strings.HasSuffix(s, "noisy.html") }) {
		t.Errorf("the page itself is none of the requests: %q", requests)
	}
}

func input(t *testing.T, p *Page) {
	p.Open(noisyPage(t))
	p.Click("button")
	if got := p.Text(`document.querySelector("button").textContent`); got != "clicked" {
		t.Errorf("the button says %q after a click", got)
	}
	p.Press("Tab")
	p.Type("text")
	if got := p.Text(`document.querySelector("input").value`); got != "text" {
		t.Errorf("the input has %q after Tab and text", got)
	}
	p.Press("Shift+End")
	if got := p.Text(`document.title`); got != "End true" {
		t.Errorf("the title is %q after Shift+End", got)
	}
	p.Drag(10, 200, 70, 200)
	if got := p.Text(`document.title`); got != "up at 70" {
		t.Errorf("the title is %q after dragging to 70", got)
	}
}

func view(t *testing.T, p *Page) {
	p.Script(false)
	p.Open(noisyPage(t))
	if said := p.Messages(); slices.Contains(said, "console log: some 1") {
		t.Errorf("the page without script said %q", said)
	}
	p.Size(320, 200, 2)
	p.Media("", "dark", "forced-colors", "active")
	if !p.Is(`innerWidth === 320 && devicePixelRatio === 2 && matchMedia("(prefers-color-scheme: dark)").matches && matchMedia("(forced-colors: active)").matches`) {
		t.Error("the size or the colours are not those that were asked for")
	}
	if !slices.Contains(p.Accessible(), Node{"button", "a button"}) {
		t.Errorf("no button among %v", p.Accessible())
	}
	if !bytes.HasPrefix(p.PDF(), []byte("%PDF-")) || !bytes.HasPrefix(p.Screenshot(Box{0, 0, 20, 20}), []byte("\x89PNG")) {
		t.Error("no PDF, or no PNG")
	}
}
