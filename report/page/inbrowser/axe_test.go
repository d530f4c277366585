package inbrowser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/browser"
	"github.com/rdmacap/rdmacap/internal/long"
)

// axe is the source of axe-core, a library that finds what keeps people from using a page. It is there once npm ci
// was run for the page's script.
func axe(t *testing.T) string {
	t.Helper()
	path := filepath.Join("..", "web", "node_modules", "axe-core", "axe.min.js")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("axe-core is not there (npm ci in report/page/web): %v", err)
	}
	return string(b)
}

// browserAxe holds that axe-core finds nothing to complain about in reports, wide and narrow, light and dark, as they
// are opened and with all that can be opened.
func browserAxe(t *testing.T, b *browser.Browser) {
	source := axe(t)
	names := []string{"rxe-loss", "version2-roce"}
	if long.Tests {
		names = append(names, "rxe-basic", "rxe-krb", "rxe-cb", "siw-basic", "siw-loss", "version2-iwarp", "fallback-roce")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			path := reportIn(t, sample(name))
			p := opened(t, b, path, "")
			p.Wait("the picture is drawn", `document.querySelector("#picture canvas")?.width > 300`)
			p.Eval(nil, source)
			for _, look := range []struct {
				scheme string
				width  int
			}{{"light", 1280}, {"dark", 400}} {
				p.Media("", look.scheme)
				p.Size(look.width, 900, 1)
				complain(t, p, fmt.Sprintf("%s, %d pixels wide, as opened", look.scheme, look.width))
			}
			p.Eval(nil, `(() => {
				const grid = document.querySelector(".rpc-grid");
				for (const key of ["Home", "Enter"]) grid.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
			})()`)
			p.Eval(nil, `document.querySelector("#picture details.as-table").open = true`)
			p.Wait("an RPC is open", `!document.querySelector(".rpc-panel").hidden`)
			complain(t, p, "with an RPC and the table open")
			p.Eval(nil, `[...document.querySelectorAll(".rpc-compare-tools button")].find((b) => b.textContent === "Compare with …").click()`)
			p.Press("Escape") // the RPC is marked and no longer open
			p.Wait("the RPC is closed", `document.querySelector(".rpc-panel").hidden`)
			p.Eval(nil, `(() => {
				const grid = document.querySelector(".rpc-grid");
				for (const key of ["ArrowDown", "Enter"]) grid.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
			})()`)
			p.Eval(nil, `[...document.querySelectorAll(".rpc-compare-tools button")].find((b) => /^Compare with .*0x/.test(b.textContent)).click()`)
			p.Wait("two RPCs are beside each other", `document.querySelectorAll(".rpc-compare .pair > div").length === 2`)
			complain(t, p, "with two RPCs beside each other, narrow and dark")
			p.Media("", "light")
			p.Size(1280, 900, 1)
			complain(t, p, "with two RPCs beside each other, wide and light")
		})
	}
}

// complain has axe-core look at the page.
func complain(t *testing.T, p *browser.Page, when string) {
	t.Helper()
	var found []struct {
		ID, Help string
		Nodes    []struct{ HTML string }
	}
	p.Eval(&found, `axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.map((v) => ({
		id: v.id, help: v.help, nodes: v.nodes.map((n) => ({ html: n.html.slice(0, 300) })) })))`)
	for _, f := range found {
		var where []string
		for _, n := range f.Nodes[:min(len(f.Nodes), 4)] {
			where = append(where, n.HTML)
		}
		t.Errorf("%s: %s (%s) in %d places:\n%s", when, f.Help, f.ID, len(f.Nodes), strings.Join(where, "\n"))
	}
}
