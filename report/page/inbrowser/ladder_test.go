package inbrowser

import (
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/browser"
)

// slowREAD is the RPC of rxe-loss that waited for two time-outs.
const slowREAD = "#rpc-0x03cdea83"

// browserLadder holds that the story of an RPC says where its time went, without a click.
func browserLadder(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("rxe-loss"))
	p := opened(t, b, path, slowREAD)
	p.Wait("the RPC is in sight with its ladder", panelHas("0x03cdea83")+` && document.querySelector(".rpc-panel .ladder")`)

	var pauses []string
	p.Eval(&pauses, `[...document.querySelectorAll(".rpc-panel .ladder tr.pause")].filter((e) => e.checkVisibility() && !e.querySelector("button"))
		.map((e) => e.innerText.trim())`)
	if want := []string{"2.23 s later", "2.20 s later"}; !slices.Equal(pauses, want) {
		t.Errorf("the pauses that are shown are %q, want %q", pauses, want)
	}
	var table [][]string
	p.Eval(&table, `[...document.querySelectorAll(".rpc-panel .phases tbody tr")].map((tr) => [...tr.cells].map((e) => e.innerText.replace(/^[A-Z]\n?(?=[A-Z])/, "").trim()))`)
	if !slices.ContainsFunc(table, func(row []string) bool {
		return slices.Equal(row, []string{"Retransmissions and timeouts", "4.57 s", "99.0 %"})
	}) {
		t.Errorf("where the time went is %q", table)
	}
	if !p.Is(`(() => {
		const part = (e) => e.getBoundingClientRect().width / document.querySelector(".rpc-panel .phase-bar").getBoundingClientRect().width;
		const parts = [...document.querySelectorAll(".rpc-panel .phase-bar > .phase")];
		return Math.abs(parts.reduce((sum, e) => sum + part(e), 0) - 1) < 0.02 && Math.abs(part(parts.find((e) => e.matches(".retransmission"))) - 0.99) < 0.03;
	})()`) {
		t.Error("the bar is not as long as its parts, or the part for time-outs is not 99 % of it")
	}

	if !p.Is(`[...document.querySelectorAll(".rpc-panel .ladder tr.of-other")].some((tr) => /RDMA Write, .* of 0x02cdea83 /.test(tr.innerText.replace(/\s+/g, " ")))`) {
		t.Error("no step says that it is of the RPC before")
	}
	const fold = ".rpc-panel .ladder button.fold"
	words := p.Text(`document.querySelector("` + fold + `").textContent`)
	if n := strings.Count(words, ","); n != 2 || !strings.Contains(words, " more steps, ") || !strings.Contains(words, " frames, ") {
		t.Errorf("a folded row says %q, want how many steps and frames and how much time it hides", words)
	}
}

// browserNarrow holds that in a window of 400 pixels bytes have their text beside them, and nothing of
// them is out of sight.
func browserNarrow(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("rxe-loss"))
	p := b.Page(t)
	p.Size(400, 900, 1)
	visit(p, path, slowREAD)
	p.Wait("the RPC is in sight", panelHas("0x03cdea83")+` && document.querySelector(".rpc-panel .exhibit")`)
	p.Eval(nil, `[...document.querySelectorAll(".rpc-panel .exhibit")].find((e) => e.textContent.startsWith("Call,")).open = true`)
	p.Wait("the bytes of the call are there", `document.querySelector(".rpc-panel .exhibit[open] .dump")`)
	var line []string
	p.Eval(&line, `[...[...document.querySelectorAll(".rpc-panel .exhibit[open] .dump tr")].find((tr) => tr.textContent.includes("clie")).cells].map((e) => e.textContent)`)
	if want := []string{"", "0068", "00 00 00 06 63 6c 69 65", "....clie"}; !slices.Equal(line, want) {
		t.Errorf("a line is %q, want %q", line, want)
	}
	if !p.Is(`[...document.querySelectorAll(".rpc-panel .dump-box")].every((e) => e.scrollWidth <= e.clientWidth)`) {
		t.Error("the text beside the bytes is out of sight")
	}
}
