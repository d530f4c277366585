package inbrowser

import (
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/browser"
	"github.com/rdmacap/rdmacap/internal/long"
)

// browserNames holds that a screen reader is told a name for all that can be used
// or looked at, and is not told of what only draws.
func browserNames(t *testing.T, b *browser.Browser) {
	p := opened(t, b, reportIn(t, sample(long.Pick("fallback-roce", "rxe-basic"))), "#rpcs")
	unfold(p)
	p.Click(".rpc-row .c-name")
	p.Wait("an RPC is open", `document.querySelector(".rpc-panel .ladder")`)
	p.Click(".rpc-head .c-latency button")
	if got := p.Text(`document.querySelector("[role=status]").textContent`); got != "sorted by Latency, ascending" {
		t.Errorf("after sorting, it is said %q", got)
	}
	roles, unnamed := make(map[string]int), make(map[string]int)
	for _, n := range p.Accessible() {
		roles[n.Role]++
		switch n.Role {
		case "button", "link", "textbox", "combobox", "slider", "grid", "columnheader", "tree", "treeitem", "heading", "region",
			"navigation", "DisclosureTriangle", "img", "image", "listbox", "dialog":
			if strings.TrimSpace(n.Name) == "" {
				unnamed[n.Role]++
			}
		case "Canvas", "SvgRoot", "graphics-document", "graphics-symbol":
			unnamed[n.Role]++ // it only draws what others say
		}
	}
	if len(unnamed) > 0 {
		t.Errorf("a screen reader is told of these without a name: %v", unnamed)
	}
	// What is scrolled sideways is reached by keys.
	if !p.Is(`[...document.querySelectorAll("main *")].every((e) => e.scrollWidth <= e.clientWidth + 1 || !/auto|scroll/.test(getComputedStyle(e).overflowX) ||
		e.tabIndex >= 0 || e.querySelector("a, button, input, [tabindex='0']"))`) {
		t.Error("something is wider than its place, and keys do not scroll it")
	}
	if names := p.Text(`[...document.querySelectorAll(".ladder-box")].map((e) => e.getAttribute("aria-label")).find((n) => !/^Ladder of ./.test(n)) ?? ""`); names != "" {
		t.Errorf("a ladder is named %q", names)
	}
	// What has to be there for who navigates by it.
	for _, role := range []string{"banner", "main", "contentinfo", "navigation", "heading", "button", "link", "slider", "grid", "row", "gridcell", "columnheader",
		"table", "tree", "treeitem", "region", "combobox", "figure", "status"} {
		if roles[role] == 0 {
			t.Errorf("there is no %s among %v", role, roles)
		}
	}
	if headings := p.Text(`[...document.querySelectorAll("h1, h2, h3, h4")].map((e) => e.tagName[1]).join("")`); strings.Count(headings, "1") != 1 ||
		strings.Contains(headings, "13") || strings.Contains(headings, "14") || strings.Contains(headings, "24") {
		t.Errorf("the levels of headings are %s: one is left out, or there is not one title", headings)
	}
	if !p.Is(`document.documentElement.lang === "en" && document.title && new Set([...document.querySelectorAll("[id]")].map((e) => e.id)).size === document.querySelectorAll("[id]").length`) {
		t.Error("the page has no language or title, or an id twice")
	}
}

// browserTab holds that the Tab key goes through all of the page in its order and
// out of it, and that one sees where it is.
func browserTab(t *testing.T, b *browser.Browser) {
	p := opened(t, b, reportIn(t, sample(long.Pick("fallback-roce", "rxe-cb"))), "")
	unfold(p)
	p.Eval(nil, `scrollTo(0, 0)`)
	const most = 3000
	stops := 0
	var last []string
	for ; stops < most; stops++ {
		p.Press("Tab")
		var at []string
		p.Eval(&at, `(() => {
			const e = document.activeElement, before = window.before;
			if (e === document.body || e === window.first) return null;
			window.before = e;
			window.first ??= e;
			const s = getComputedStyle(e), wrong = [];
			if (before && !(before.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING)) wrong.push("comes before " + before.outerHTML.slice(0, 80));
			if (!e.checkVisibility()) wrong.push("is not to be seen");
			const shown = s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1;
			if (!shown) wrong.push("does not show that it has the focus");
			const r = e.getBoundingClientRect();
			if (r.bottom < 0 || r.top > innerHeight) wrong.push("is not in the window");
			return [e.tagName + " " + e.className + " " + e.textContent.slice(0, 30), ...wrong];
		})()`)
		if at == nil {
			break
		}
		for _, wrong := range at[1:] {
			t.Errorf("%s %s", at[0], wrong)
		}
		last = append(last, at[0])
	}
	if stops == most || stops < long.Pick(50, 100) {
		t.Fatalf("the Tab key stops %d times, last at %q", stops, last[max(0, len(last)-5):])
	}
	for _, want := range []string{"BUTTON theme", "DIV ladder-box", "INPUT", "DIV rpc-grid", "DIV plot", "SPAN field"} {
		if !slices.ContainsFunc(last, func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("the Tab key does not stop at %s", want)
		}
	}
	p.Press("Shift+Tab")
	if p.Is(`document.activeElement === document.body`) {
		t.Error("Shift+Tab does not lead back into the page")
	}
}
