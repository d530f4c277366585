package inbrowser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/browser"
)

// columns are the columns of the list in their order, in heads and in the rows alike.
func columns(t *testing.T, p *browser.Page) []string {
	t.Helper()
	order := func(of string) (ids []string) {
		p.Eval(&ids, `[...document.querySelector(".rpc-`+of+`").querySelectorAll(".cell")].map((e) => [...e.classList].find((c) => c.startsWith("c-")).slice(2))`)
		return ids
	}
	heads, row := order("head"), order("row:not([hidden])")
	if strings.Join(heads, ",") != strings.Join(row, ",") {
		t.Errorf("the headings are %q, the cells of a row %q", heads, row)
	}
	if got := int(p.Number(`+document.querySelector(".rpc-grid").ariaColCount`)); got != len(heads) {
		t.Errorf("a screen reader is told of %d columns, there are %d", got, len(heads))
	}
	return heads
}

// begins complains if the columns do not begin with some.
func begins(t *testing.T, p *browser.Page, what, want string) {
	t.Helper()
	if got := strings.Join(columns(t, p), ","); !strings.HasPrefix(got+",", want+",") {
		t.Errorf("%s: the columns are %s, want %s first", what, got, want)
	}
}

// edges are the left, the middle and the right of the heading of a column, and its height.
func edges(p *browser.Page, column string) (e [4]float64) {
	p.Eval(&e, `(() => {
		const r = document.querySelector(".rpc-head .c-`+column+`").getBoundingClientRect();
		return [r.left, r.left + r.width / 2, r.right, r.top + r.height / 2];
	})()`)
	return e
}

// browserColumns holds that columns are moved, resized and chosen by mouse and by keys, that rows follow, that all of
// it is reported and in the address, and that a drag does not sort.
func browserColumns(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("rxe-cb"))
	p := opened(t, b, path, "#rpcs")
	begins(t, p, "at first", "name,status,latency,severity,connection,no,start,xid")
	all := len(columns(t, p))
	status := func() string { return p.Text(`document.querySelector("[role=status]")?.textContent ?? ""`) }
	p.Middle(".rpc-head .c-name") // in sight

	from, to := edges(p, "latency"), edges(p, "name")
	p.Drag(from[1], from[3], to[0]+5, to[3])
	begins(t, p, "latency dragged to the left end", "latency,name,status,severity")
	if got, want := status(), fmt.Sprintf("Latency is column 1 of %d", all); got != want {
		t.Errorf("it is said %q, want %q", got, want)
	}
	from, to = edges(p, "latency"), edges(p, "status")
	p.Drag(from[1], from[3], to[2]-5, to[3])
	begins(t, p, "latency dragged behind the status", "name,status,latency,severity")
	if p.Is(`document.querySelector(".rpc-head .c-latency[aria-sort]")`) || p.Is(`location.hash.includes("sort")`) {
		t.Error("a drag has sorted")
	}
	p.Click(".rpc-head .c-latency button")
	if !p.Is(`document.querySelector(".rpc-head .c-latency[aria-sort=ascending]")`) {
		t.Error("after a drag, a click does not sort")
	}

	from = edges(p, "name")
	p.Drag(from[2]-3, from[3], from[2]-63, from[3])
	if now := edges(p, "name"); now[2] < from[2]-70 || now[2] > from[2]-50 {
		t.Errorf("the edge was dragged 60 pixels to the left, and is at %v, before at %v", now[2], from[2])
	}
	aligned := `[...document.querySelectorAll(".rpc-row:not([hidden]) .c-status")].every((e) =>
		Math.abs(e.getBoundingClientRect().left - document.querySelector(".rpc-head .c-status").getBoundingClientRect().left) < 1)`
	if !p.Is(aligned) {
		t.Error("after resizing, cells do not stand below their headings")
	}
	if said := status(); !strings.HasPrefix(said, "Procedure is ") || !strings.HasSuffix(said, " digits wide") {
		t.Errorf("of resizing it is said %q", said)
	}

	// By keys, with the focus where it was.
	press := func(key, modifier string) {
		p.Eval(nil, `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "`+key+`", `+modifier+`: true, bubbles: true, cancelable: true }))`)
	}
	p.Eval(nil, `document.querySelector(".rpc-head .c-status button").focus()`)
	press("ArrowRight", "shiftKey")
	press("ArrowRight", "shiftKey")
	begins(t, p, "the status moved twice by keys", "name,latency,severity,status")
	width := edges(p, "status")
	press("ArrowLeft", "altKey")
	press("ArrowLeft", "altKey")
	if now := edges(p, "status"); now[2]-now[0] >= width[2]-width[0] {
		t.Errorf("the status is %v wide, before %v", now[2]-now[0], width[2]-width[0])
	}
	if !p.Is(`document.activeElement.closest(".c-status")`) || !p.Is(aligned) {
		t.Error("the heading lost the focus, or cells do not stand below it")
	}

	// In the list of columns.
	p.Click(".rpc-columns summary")
	p.Wait("the columns can be chosen", `document.querySelector(".rpc-columns li")`)
	p.Click(".rpc-columns [aria-label='Show No.']")
	p.Click(".rpc-columns [aria-label='Move XID up']")
	begins(t, p, "chosen", "name,latency,severity,status,connection,xid,start")
	if len(columns(t, p)) != all-1 || !p.Is(`document.activeElement.getAttribute("aria-label") === "Move XID up"`) {
		t.Errorf("of %d columns %d are left without one, and %s has the focus", all, len(columns(t, p)), p.Text(`document.activeElement.outerHTML`))
	}
	hash := p.Text(`location.hash`)
	if !strings.Contains(hash, ";cols=name:") || !strings.Contains(hash, ",latency,severity,status:") {
		t.Errorf("the address is %s", hash)
	}
	geometry := `[...document.querySelectorAll(".rpc-head .cell")].map((e) => e.className + e.offsetWidth + e.ariaSort).join()`
	q := opened(t, b, path, hash)
	if got, want := q.Text(geometry), p.Text(geometry); got != want {
		t.Errorf("%s has\n%s\nwant\n%s", hash, got, want)
	}
	quiet(t, q, path)
	p.Click(".rpc-columns p button")
	begins(t, p, "as at first", "name,status,latency,severity,connection,no,start,xid")
	if p.Is(`location.hash.includes("cols")`) || p.Is(`document.querySelector(".rpc-grid .sized")`) {
		t.Errorf("the columns are as at first, but the address is %s", p.Text(`location.hash`))
	}
	quiet(t, p, path)
	for _, strange := range []string{"nosuch,constructor:3", ":,,:9", "__proto__", "%00"} {
		q := opened(t, b, path, "#rpcs;cols="+strange)
		if n := len(columns(t, q)); n != all {
			t.Errorf("%s: %d columns, want %d", strange, n, all)
		}
		quiet(t, q, path)
	}
}

// browserColumnsNarrow holds that a window of 400 pixels shows what matters of an RPC without scrolling sideways, the
// finding as its sign, and that the page is not wider than that.
func browserColumnsNarrow(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("rxe-krb")) // several connections, findings of each severity
	p := b.Page(t)
	p.Size(400, 800, 1)
	visit(p, path, "#rpcs")
	for _, c := range []string{"name", "status", "latency", "severity", "connection"} {
		room := p.Number(`(() => { const g = document.querySelector(".rpc-grid"); return g.getBoundingClientRect().left + g.clientLeft + g.clientWidth; })()`)
		if e := edges(p, c); e[0] < 0 || e[2] > room || room > 400 {
			t.Errorf("%s must be from %v to %v pixels, of which %v are in sight", c, e[0], e[2], room)
		}
		if p.Is(`(() => { const b = document.querySelector(".rpc-head .c-` + c + ` button"); return b.scrollWidth > b.clientWidth; })()`) {
			t.Errorf("the heading of %s is cut", c)
		}
		if p.Is(`[...document.querySelectorAll(".rpc-row:not([hidden]) .c-` + c + `")].some((e) => {
			const range = document.createRange();
			range.selectNodeContents(e);
			return getComputedStyle(e).overflow === "visible" && getComputedStyle(e).clipPath === "none" && range.getBoundingClientRect().width > e.clientWidth;
		})`) {
			t.Errorf("a cell of %s runs into the next one", c)
		}
	}
	p.Click(".rpc-head .c-severity button")
	p.Click(".rpc-head .c-severity button")
	if p.Is(`(() => { const b = document.querySelector(".rpc-head .c-severity button"); return b.scrollWidth > b.clientWidth; })()`) {
		t.Error("sorted by, the heading of findings is cut")
	}
	if got := p.Text(`document.querySelector(".rpc-row[aria-rowindex='2'] .c-severity").textContent`); !strings.Contains(got, " ") {
		t.Errorf("a screen reader is told %q of the worst finding", got)
	}
	if p.Is(`document.documentElement.scrollWidth > 400`) {
		t.Errorf("the page is %v pixels wide", p.Number(`document.documentElement.scrollWidth`))
	}
	quiet(t, p, path)
}
