package inbrowser

import (
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/browser"
)

// typicalREAD is the one of two READs of rxe-loss that moved as much as slowREAD and did not fail that took less time.
const typicalREAD = "0x01cdea83"

// slowAndTypical is the link to slowREAD beside typicalREAD.
const slowAndTypical = "#compare-0x03cdea83-" + typicalREAD

// bothDrawn is whether two RPCs are beside each other with their ladders, and which they are in sight.
const bothDrawn = `(() => {
	const e = document.querySelector(".rpc-compare:not([hidden])"), top = e?.querySelector("h4").getBoundingClientRect().top;
	return e && 0 <= top && top < innerHeight && e.querySelectorAll(".pair .ladder tr.step svg").length > 20 && e.querySelectorAll(".pair .ladder").length === 2;
})()`

// press uses the button with a text below the title of the RPC that is open.
func press(p *browser.Page, text string) {
	p.Eval(nil, `[...document.querySelectorAll(".rpc-compare-tools button")].find((b) => b.textContent === `+browser.JS(text)+`).click()`)
}

// differing is what is reported to differ, by the name of the line.
func differing(p *browser.Page) map[string]string {
	found := make(map[string]string)
	p.Eval(&found, `Object.fromEntries([...document.querySelectorAll(".rpc-compare .differs")].map((e) => [e.parentElement.firstChild.textContent, e.textContent.trim()]))`)
	return found
}

// browserCompare holds that an RPC that took long is compared with a typical one: in words, by parts of the time, and
// by their ladders; that a link shows the same; and that closing leads back to the RPC.
func browserCompare(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("rxe-loss"))
	p := opened(t, b, path, slowREAD)
	p.Wait("the RPC is in sight", panelHas("0x03cdea83"))
	press(p, "Compare with a typical RPC")
	p.Wait("both ladders are drawn", bothDrawn)
	if got := p.Text(`location.hash`); got != slowAndTypical {
		t.Errorf("the address names %s, want %s", got, slowAndTypical)
	}
	p.Open("about:blank")
	visit(p, path, slowAndTypical)
	p.Wait("both are there again", bothDrawn)
	if !p.Is(`document.activeElement.id === "rpc-compare-title"`) {
		t.Error("the comparison does not have the focus")
	}

	words := p.Text(`document.querySelector(".rpc-compare > p").textContent`)
	for _, want := range []string{"0x03cdea83 took 4.62 s, 80.9 times as long as NFS3 READ " + typicalREAD + " with 57.1 ms.",
		"NFS3 READ " + typicalREAD + " is the faster of 2 other NFS3 READ calls of a similar size that are complete in the capture and succeeded without a warning or an error: too few to say what is typical."} {
		if !strings.Contains(words, want) {
			t.Errorf("it is said %q, want in it %q", words, want)
		}
	}
	differs := differing(p)
	for name, want := range map[string]string{"Latency": "≠ first: 80.9 times as long", "Finding": "≠ differs", "Moved by RDMA Writes": "≠ first: 9216 bytes less", "Status": "", "Reply": "", "Time": ""} {
		if differs[name] != want {
			t.Errorf("of %s it is said %q, want %q", name, differs[name], want)
		}
	}

	var parts [][]string
	p.Eval(&parts, `[...document.querySelectorAll(".rpc-compare .phases tbody tr")].map((tr) => [tr.cells[0].lastChild.textContent, ...[...tr.cells].slice(1).map((e) => e.textContent)])`)
	if !slices.ContainsFunc(parts, func(row []string) bool {
		return slices.Equal(row, []string{"Retransmissions and timeouts", "4.57 s", "11.0 ms", "4.56 s more"})
	}) {
		t.Errorf("where the time of both went is %q", parts)
	}
	var bars []float64
	p.Eval(&bars, `[...document.querySelectorAll(".rpc-compare .phase-bar")].map((e) => e.getBoundingClientRect().width)`)
	if len(bars) != 2 || bars[0]/bars[1] < 60 || bars[0]/bars[1] > 100 {
		t.Errorf("the bars are %v pixels long, want two, of which the first is about 81 times as long", bars)
	}
	if !p.Is(`(() => {
		const [a, b] = [...document.querySelectorAll(".pair > div")].map((e) => e.getBoundingClientRect());
		return a.top === b.top && a.right <= b.left;
	})()`) {
		t.Error("in a wide window the ladders are not beside each other")
	}

	p.Press("Escape")
	p.Wait("the RPC alone is there, and the keyboard where it was", `document.querySelector(".rpc-compare").hidden && !document.querySelector(".rpc-panel").hidden &&
		location.hash === `+browser.JS(slowREAD)+` && document.activeElement.textContent === "Compare with a typical RPC"`)
	quiet(t, p, path)
}

// browserCompareMarked holds that an RPC that was marked is compared with the one that is opened next, and that it is reported what
// cannot be: where there is no typical one, no such RPC, or nothing is known of the time.
func browserCompareMarked(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("rxe-loss"))
	p := opened(t, b, path, slowREAD)
	p.Wait("the RPC is in sight", panelHas("0x03cdea83"))
	press(p, "Compare with …")
	p.Wait("it is said what to do", `document.querySelector("[role=status]").textContent === "Open the RPC to compare it with."`)
	// That call has no reply: nothing is known of its time.
	p.Eval(nil, `location.hash = "rpc-0x04cdea83"`)
	p.Wait("the other one is in sight", panelHas("0x04cdea83"))
	press(p, "Compare with NFS3 READ 0x03cdea83")
	p.Wait("both are there", bothDrawn)
	said := p.Text(`document.querySelector(".rpc-compare").textContent`)
	for _, want := range []string{"The latency of one of them is unknown", "The page does not have the time breakdown of NFS3 READ 0x04cdea83.", "4.57 s"} {
		if !strings.Contains(said, want) {
			t.Errorf("of a call without a reply it is not said %q: %s", want, said)
		}
	}

	p.Eval(nil, `(() => {
		const grid = document.querySelector(".rpc-grid");
		for (const key of ["Home", "Enter"]) grid.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
	})()`)
	p.Wait("another RPC is open, and no comparison", `document.querySelector(".rpc-compare").hidden && document.querySelector("#rpc-panel-title").textContent.includes("NULL")`)
	press(p, "Compare with a typical RPC")
	p.Wait("it is said that there is none", panelHas("There is no typical RPC: this page has no other NFS3 NULL call that is complete in the capture and succeeded without a warning or an error."))

	p.Eval(nil, `location.hash = "compare-0x03cdea83-0x00c0ffee"`)
	p.Wait("it is said that there is no such RPC", panelHas("The capture has no RPC with this XID."))
	quiet(t, p, path)
}

// browserCompareNarrow holds that in a window of 400 pixels two RPCs fit, one ladder below the other.
func browserCompareNarrow(t *testing.T, b *browser.Browser) {
	p := b.Page(t)
	p.Size(400, 900, 1)
	visit(p, reportIn(t, sample("rxe-loss")), slowAndTypical)
	p.Wait("both ladders are drawn", bothDrawn)
	var wide []string
	p.Eval(&wide, `(() => {
		const inBox = (e) => e.parentElement.closest(".scroll, .ladder-box");
		return [...document.querySelectorAll(".rpc-compare *")].filter((e) => !inBox(e) && e.getBoundingClientRect().right > document.documentElement.clientWidth).map((e) => e.outerHTML.slice(0, 100));
	})()`)
	if len(wide) > 0 || !p.Is(`document.documentElement.scrollWidth <= document.documentElement.clientWidth`) {
		t.Errorf("it is wider than the window: %q", wide)
	}
	if !p.Is(`[...document.querySelectorAll(".rpc-compare .scroll")].every((e) => e.scrollWidth <= e.clientWidth)`) {
		t.Error("a table is wider than its place")
	}
	if !p.Is(`(() => {
		const [a, b] = [...document.querySelectorAll(".pair > div")].map((e) => e.getBoundingClientRect());
		return a.bottom <= b.top && a.left === b.left;
	})()`) {
		t.Error("the ladders are not one below the other")
	}
}
