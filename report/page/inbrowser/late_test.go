package inbrowser

import (
	"testing"

	"github.com/rdmacap/rdmacap/internal/browser"
)

// browserLate holds that the list has the worst finding that names an RPC, also one that was found after the RPC had
// ended: THRESH-011 is about a version that a later message tells.
func browserLate(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("fallback-roce"))
	p := opened(t, b, path, "#rpc-0x00000004")
	p.Wait("the RPC is in sight", panelHas("0x00000004"))
	if got, want := p.Text(`document.querySelector(".rpc-panel .facts dd").textContent`), "● note THRESH-011"; got != want {
		t.Errorf("of the RPC the page says %q, want %q", got, want)
	}
	if got, want := p.Text(`document.querySelector('.rpc-row[aria-selected="true"] .c-severity').textContent`), "● note"; got != want {
		t.Errorf("the list says %q, want %q", got, want)
	}
	quiet(t, p, path)
}

// browserStep holds that a button that leads to no further RPC says why, and that the list says by which column it is
// sorted where that is not shown.
func browserStep(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("rxe-loss"))
	p := opened(t, b, path, "#rpc-0x03cdea83;y=rpc.latency%20%3C%201us;cols=name;sort=-latency")
	p.Wait("the RPC is in sight", panelHas("0x03cdea83"))
	if got, want := p.Text(said), "0 of 38 RPCs, sorted by Latency"; got != want {
		t.Errorf("the list says %q, want %q", got, want)
	}
	p.Eval(nil, `document.querySelector('[aria-label="Next RPC of the list"]').click()`)
	p.Wait("it is said why there is no next one", panelHas("The filtered list does not have this RPC."))
	p.Eval(nil, `location.hash = "rpc-0x03cdea83"`)
	p.Wait("the list is whole again", `document.querySelector(".rpc-shown").textContent === "38 RPCs, sorted by Latency"`)
	if p.Is(panelHas("does not have this RPC")) {
		t.Error("what is no longer so is still said")
	}
	p.Eval(nil, `document.querySelector('[aria-label="Next RPC of the list"]').click()`)
	p.Eval(nil, `for (let i = 0; i < 38; i++) document.querySelector('[aria-label="Next RPC of the list"]').click()`)
	p.Wait("it is said that it is the last", panelHas("The list has no further RPC."))
	quiet(t, p, path)
}

// browserAtOnce holds that a link is followed that was clicked right before the page wrote into its address how it is
// shown, as it does when somebody who scrolled rests.
func browserAtOnce(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("rxe-loss"))
	p := opened(t, b, path, "")
	p.Eval(nil, `location.hash = "rpc-0x03cdea83"; document.querySelector(".rpc-head .c-latency button").click()`)
	p.Wait("the RPC is in sight, and the address has both", panelHas("0x03cdea83")+` && location.hash === "#rpc-0x03cdea83;sort=latency"`)
	quiet(t, p, path)
}
