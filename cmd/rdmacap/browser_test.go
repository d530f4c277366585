package main

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/blocks"
	"github.com/rdmacap/rdmacap/internal/browser"
)

// reportIn makes the report of captures in a file and is its path.
func reportIn(t *testing.T, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.html")
	must(t, append([]string{"report", "-q", "-o", out}, args...)...)
	return out
}

// opened is a page that shows the report at a path, from a fragment of its address
// on ("#finding-1", or ""). Its script has done what it does by itself.
func opened(t *testing.T, b *browser.Browser, path, fragment string) *browser.Page {
	t.Helper()
	p := b.Page(t)
	visit(p, path, fragment)
	return p
}

func visit(p *browser.Page, path, fragment string) {
	p.Open(address(path) + fragment)
	p.Wait("the list of RPCs and the room for charts are there",
		`document.querySelector("#rpc-list .rpc-grid") && !document.querySelector(".charts:not(.coming):not(:has(canvas))")`)
}

func address(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// findingOf is the id of the first finding of a rule ("HDR-002a") that is no effect of
// another one.
func findingOf(t *testing.T, path, rule string) string {
	t.Helper()
	for _, n := range pageOf(t, path).Find("article", "finding") {
		if blocks.Attr(n, "data-rule") == rule && !blocks.HasClass(n, "effect") {
			return blocks.Attr(n, "id")
		}
	}
	t.Fatalf("there is no finding of %s", rule)
	return ""
}

// unfold opens all that can be opened, so that all of the page is there.
func unfold(p *browser.Page) {
	p.Eval(nil, `(async () => {
		const rest = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
		for (const e of document.querySelectorAll(".views, .charts")) {
			e.scrollIntoView();
			await rest();
		}
		for (;;) {
			const closed = document.querySelectorAll("details:not([open])"), folds = document.querySelectorAll("button.fold");
			if (closed.length + folds.length === 0) break;
			for (const e of closed) e.open = true;
			for (const e of folds) e.click();
			await rest();
		}
	})()`)
}

// quiet complains about all that a page said, and all that it asked for but itself.
func quiet(t *testing.T, p *browser.Page, path string) {
	t.Helper()
	for _, s := range p.Said() {
		t.Errorf("the page said %s", s)
	}
	for _, r := range p.Requests() {
		if r, _, _ = strings.Cut(r, "#"); r != address(path) {
			t.Errorf("the page asked for %s", r)
		}
	}
}

// TestBrowserOpens holds that the report of each shipped capture shows all that it has
// without a word to the console and without a request.
func TestBrowserOpens(t *testing.T) {
	b := browser.Start(t)
	for _, name := range few(samples) {
		t.Run(name, func(t *testing.T) {
			path := reportIn(t, sample(name))
			p := opened(t, b, path, "")
			unfold(p)
			p.Wait("each finding has its views and each connection its charts", `!document.querySelector(
				".finding[data-evidence]:not([data-evidence='']) > .views:not(:has(.ladder, .exhibit)), .charts:not(:has(canvas))")`)
			if !slices.Contains(p.Requests(), address(path)) {
				t.Errorf("the page itself is not among the requests %q", p.Requests())
			}
			p.Eval(nil, `document.querySelector(".rpc-row:not([hidden])")?.click()`)
			quiet(t, p, path)
		})
	}
}
