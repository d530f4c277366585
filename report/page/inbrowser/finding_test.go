package inbrowser

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/blocks"
	"github.com/rdmacap/rdmacap/internal/browser"
)

// inSight is whether the beginning of what a selector finds is in the window.
func inSight(selector string) string {
	return `(() => {
		const r = document.querySelector(` + browser.JS(selector) + `).getBoundingClientRect();
		return -1 <= r.top && r.top < innerHeight;
	})()`
}

// browserFinding holds that a finding is reached by its link and by scrolling, and
// that its ladder has the steps, and its bytes the marks, that the data have.
func browserFinding(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("version2-roce"))
	page := blocks.Read(t, path)
	items, shownBy := page.Evidence(t), page.ShownBy(t)

	t.Run("link", func(t *testing.T) {
		finding := "#" + findingOf(t, path, "HDR-002a")
		p := opened(t, b, path, finding)
		p.Wait("the finding is in sight with its ladder", inSight(finding)+` && document.querySelector("`+finding+` > .views .ladder")`)
	})
	t.Run("scrolling", func(t *testing.T) {
		p := opened(t, b, path, "")
		const last = `[...document.querySelectorAll("#findings > .finding > .views")].at(-1)`
		if p.Is(last + `.childElementCount`) {
			t.Error("the last finding is built before anybody comes there")
		}
		p.Move(600, 400)
		for range 200 {
			p.Wheel(400)
			if p.Is(last + `.querySelector("details")`) {
				return
			}
		}
		t.Error("the last finding is empty though the page was scrolled to its end")
	})
	t.Run("content", func(t *testing.T) {
		p := opened(t, b, path, "")
		unfold(p)
		checked := 0
		for n, e := range items {
			finding := shownBy[n]
			if finding == "" || e.Ladder == nil {
				continue
			}
			checked++
			views := fmt.Sprintf(":is(#%s, #%[1]s > .more) > .views ", finding)
			var steps []string
			p.Eval(&steps, `[...document.querySelectorAll(`+browser.JS(views+".ladder .step")+`)].map((e) =>
				(e.classList.contains("bad") ? "BAD " : "") + e.querySelector("a").textContent + " " + e.querySelector(".words").textContent)`)
			if len(steps) != len(e.Ladder.Steps) {
				t.Errorf("%s has %d steps, the data have %d", finding, len(steps), len(e.Ladder.Steps))
				continue
			}
			for i, s := range e.Ladder.Steps {
				begin := fmt.Sprintf("%d ", s.F)
				if s.Bad != "" {
					begin = "BAD " + begin
				}
				if !strings.HasPrefix(steps[i], begin) || !strings.Contains(steps[i], s.X) {
					t.Errorf("%s, step %d is %q, want %q with %q", finding, i, steps[i], begin, s.X)
				}
			}
			for i, x := range e.Exhibits {
				want := ""
				data, _ := hex.DecodeString(x.Bytes)
				for _, bad := range x.Bad {
					want += hex.EncodeToString(data[min(bad[0], len(data)):min(bad[1], len(data))])
				}
				got := p.Text(`[...document.querySelectorAll(` + browser.JS(views+".exhibit") + `)[` + fmt.Sprint(i) + `]
					.querySelectorAll(".hex .bad")].map((e) => e.textContent).join("").replaceAll(" ", "")`)
				if got != want {
					t.Errorf("%s, %s: bytes %s are marked, want %s", finding, x.Title, got, want)
				}
			}
		}
		if checked < 6 {
			t.Errorf("only %d findings have a ladder", checked)
		}
	})
}

// browserBytes holds that bytes and fields are tied both ways, for who points
// and for who uses keys.
func browserBytes(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("version2-roce"))
	finding := "#" + findingOf(t, path, "HDR-002a")
	p := opened(t, b, path, finding)
	frame := finding + ` > .views .exhibit[data-frame="104"] `
	p.Wait("the bytes of frame 104 are shown", `document.querySelector(`+browser.JS(frame+".hex .bad")+`)`)
	marked := func(what string) string {
		return p.Text(`[...document.querySelectorAll(` + browser.JS(frame+what) + `)].map((e) => e.textContent).join(" ")`)
	}
	expect := func(when, data, field, said string) {
		t.Helper()
		if got := marked(".hex .marked"); got != data {
			t.Errorf("%s: bytes %q are marked, want %q", when, got, data)
		}
		if got := marked(".field.marked"); !strings.HasPrefix(got, field) || field == "" && got != "" {
			t.Errorf("%s: the field %q is marked, want %q", when, got, field)
		}
		if got := marked(".said"); !strings.HasPrefix(got, said) || !strings.Contains(got, field) {
			t.Errorf("%s: it says %q, want %q and %q", when, got, said, field)
		}
	}
	field := func(name string) string {
		p.Eval(nil, `[...document.querySelectorAll(`+browser.JS(frame+".field")+`)].find((e) =>
			e.textContent.startsWith(`+browser.JS(name)+`)).id = "wanted"`)
		return "#wanted"
	}

	p.Hover(frame + ".hex .bad")
	expect("pointing at the bytes at fault", "00 00 00 03", "rdma_vers: 3", "bytes 58 to 61: ")
	p.Hover(field("rdma_credit"))
	expect("pointing at a field", "00 00 00 80", "rdma_credit: 128", "bytes 62 to 65: ")
	p.Hover("h1")
	expect("pointing elsewhere", "", "", "")

	p.Click(frame + ".hex .bad")
	if !p.Is(`document.activeElement.getAttribute("role") === "treeitem" && document.activeElement.textContent.startsWith("rdma_vers: 3")`) {
		t.Errorf("after a click on its bytes the focus is on %q", p.Text(`document.activeElement.outerHTML.slice(0, 100)`))
	}
	p.Hover("h1")
	expect("with the focus on a field", "00 00 00 03", "rdma_vers: 3", "bytes 58 to 61: ")
	p.Press("ArrowDown")
	expect("a field further down", "00 00 00 80", "rdma_credit: 128", "bytes 62 to 65: ")
	p.Press("ArrowLeft")
	expect("the field that it is in", "00 00  00 0d 00 00 00 03 00 00 00 80 00 00 00 00", "RPC-over-RDMA", "bytes 54 to 69: ")
	p.Press("ArrowLeft")
	if !p.Is(`document.activeElement.getAttribute("aria-expanded") === "false"`) {
		t.Error("the left arrow does not close a field")
	}
	p.Press("Home", "ArrowDown")
	expect("the second field", "52 54 00 00 00 01", "Destination", "bytes 0 to 5: ")
	quiet(t, p, path)
}
