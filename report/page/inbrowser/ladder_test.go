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
	const fold = ".rpc-panel .ladder button.fold"
	words := p.Text(`document.querySelector("` + fold + `").textContent`)
	if n := strings.Count(words, ","); n != 2 || !strings.Contains(words, " more steps, ") || !strings.Contains(words, " frames, ") {
		t.Errorf("a folded row says %q, want how many steps and frames and how much time it hides", words)
	}
}
