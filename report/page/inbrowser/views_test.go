package inbrowser

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/blocks"
	"github.com/rdmacap/rdmacap/internal/browser"
	"github.com/rdmacap/rdmacap/internal/long"
)

// faint are texts in the page that stand out less than WCAG 2.2 asks for (success
// criterion 1.4.3): 4.5 to 1, or 3 to 1 if they are large.
const faint = `(() => {
	const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const once = (f, known = new Map()) => (v) => known.get(v) ?? known.set(v, f(v)).get(v);
	const rgba = once((color) => {
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = color;
		canvas.fillRect(0, 0, 1, 1);
		return [...canvas.getImageData(0, 0, 1, 1).data];
	});
	const over = ([r, g, b, a], below) => [r, g, b].map((c, i) => (c * a + below[i] * (255 - a)) / 255);
	const ground = once((e) => {
		const own = rgba(getComputedStyle(e).backgroundColor);
		if (own[3] === 255) return own;
		return over(own, e.parentElement ? ground(e.parentElement) : rgba("Canvas"));
	});
	const light = (c) => c.slice(0, 3).map((v) => v / 255)
		.map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const found = new Map();
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let text; (text = texts.nextNode());) {
		const e = text.parentElement;
		if (!text.data.trim() || !e.checkVisibility() || e.closest(".sr, script, noscript, [disabled]")) continue;
		const style = getComputedStyle(e), behind = ground(e), before = over(rgba(style.color), behind);
		const [a, b] = [light(before), light(behind)].sort((x, y) => y - x);
		const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
		const ratio = (a + 0.05) / (b + 0.05);
		if (ratio < (large ? 3 : 4.5) - 0.01) found.set(e.tagName + "." + e.className, ratio.toFixed(2) + " to 1: " + text.data.slice(0, 40));
	}
	return [...found].map((f) => f.join(" "));
})()`

// browserColours holds that all text can be read in light and dark and in the
// reader's own colours, and that nothing is reported by colour alone.
func browserColours(t *testing.T, b *browser.Browser) {
	samples := []string{sample("siw-perftest")}
	if long.Tests {
		samples = append(samples, sample("rxe-krb"))
	}
	path := reportIn(t, samples...)
	p := opened(t, b, path, "")
	unfold(p)
	ground := `getComputedStyle(document.documentElement).backgroundColor`
	seen := map[string]bool{}
	for _, c := range []struct{ scheme, forced string }{{"light", "none"}, {"dark", "none"}, {"light", "active"}, {"dark", "active"}} {
		p.Media("", c.scheme, "forced-colors", c.forced)
		p.Wait("colours have changed", atRest)
		name := c.scheme + ", forced colours " + c.forced
		var list []string
		p.Eval(&list, faint)
		for _, s := range list {
			t.Errorf("%s: too faint: %s", name, s)
		}
		seen[p.Text(ground)] = true
		checkMarks(t, p, name)
	}
	if len(seen) < 2 {
		t.Errorf("light and dark have the same ground: %v", seen)
	}

	// The button has the last word.
	p.Media("", "light")
	light := p.Text(ground)
	p.Click("button.theme")
	dark := p.Text(ground)
	if light == dark || p.Text(`document.querySelector("button.theme").getAttribute("aria-label")`) != "Light colours" {
		t.Errorf("the button for dark colours changes %s to %s", light, dark)
	}
	p.Press("Enter")
	if p.Text(ground) != light {
		t.Error("the button does not change back")
	}
	quiet(t, p, path)
}

// checkMarks holds that severities and what is at fault are reported by words and signs.
func checkMarks(t *testing.T, p *browser.Page, name string) {
	t.Helper()
	for what, js := range map[string]string{
		"a finding has its severity as a word": `[...document.querySelectorAll(".finding")].every((f) =>
			["error", "warning", "note"].some((s) => f.classList.contains(s) && f.querySelector("h3 .severity").innerText.includes(s)))`,
		"a step at fault has words": `[...document.querySelectorAll(".ladder .bad")].every((e) => /[✗●] [A-Z0-9]+-[0-9]+/.test(e.innerText))`,
		"bytes at fault are underlined or framed": `[...document.querySelectorAll(".dump .hex .bad")].every((e) => {
			const s = getComputedStyle(e);
			return s.textDecorationLine !== "none" || parseFloat(s.outlineWidth) > 0 && s.outlineStyle !== "none" || parseFloat(s.borderBottomWidth) > 0;
		})`,
		"a line of bytes at fault has a sign": `[...document.querySelectorAll(".dump tr:has(.bad) .sign")].every((e) => e.innerText.trim())`,
		"the ladder's lines stand out": `[...document.querySelectorAll(".ladder .life, .ladder .head")].every((e) => {
			const s = getComputedStyle(e);
			return ![s.stroke, s.fill].every((c) => c === "none" || c === getComputedStyle(document.documentElement).backgroundColor);
		})`,
	} {
		if !p.Is(js) {
			t.Errorf("%s: it is not so that %s", name, what)
		}
	}
}

// browserZoomed holds that at 200 % nothing has to be scrolled sideways but what
// has a box of its own, and that at 400 % it is the same (WCAG 2.2, 1.4.10).
func browserZoomed(t *testing.T, b *browser.Browser) {
	for _, name := range long.Pick([]string{"version2-roce"}, []string{"rxe-krb", "siw-perftest", "version2-roce"}) {
		path := reportIn(t, sample(name))
		p := opened(t, b, path, "")
		unfold(p)
		for _, percent := range []int{200, 400} {
			p.Size(1280*100/percent, 900*100/percent, float64(percent)/100)
			p.Wait("the window has its size", fmt.Sprintf("innerWidth === %d", 1280*100/percent))
			p.Wait("the page is laid out anew", atRest)
			var wide []string
			p.Eval(&wide, `(() => {
				const room = document.documentElement.clientWidth;
				if (document.documentElement.scrollWidth <= room) return [];
				const scrolls = (e) => e && e !== document.body && (getComputedStyle(e).overflowX !== "visible" || scrolls(e.parentElement));
				const list = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > room + 0.5 && !scrolls(e.parentElement));
				return [document.documentElement.scrollWidth + " of " + room, ...list.slice(0, 5).map((e) => e.outerHTML.slice(0, 80))];
			})()`)
			if len(wide) > 0 {
				t.Errorf("%s at %d %%: the page is wider than the window: %q", name, percent, wide)
			}
		}
	}
}

// browserPrint holds that all findings are on paper with their ladders and bytes,
// and all connections with their charts, however soon the page is printed once its script runs.
func browserPrint(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("version2-roce"))
	p := b.Page(t)
	p.Media("", "dark")
	p.Open(address(path))
	p.Wait("the script is unpacked", `document.querySelector("#rpc-list .rpc-grid")`)
	p.Eval(nil, `addEventListener("beforeprint", () => window.printed = [...document.querySelectorAll(".finding")].map((f) => {
		const views = f.querySelector(":scope > .views, :scope > .more[open] > .views");
		return [f.id, views.querySelectorAll(".ladder .step").length, views.querySelectorAll(".exhibit[open] .dump, .exhibit[open] .fields-only").length,
			f.dataset.evidence.split(",")];
	}))`)
	pdf := p.PDF()
	if !p.Is(`document.querySelector(".charts") && !document.querySelector(".charts:not(:has(canvas))")`) {
		t.Error("a connection is printed without its charts")
	}
	var printed [][4]any
	p.Eval(&printed, "window.printed")
	page := blocks.Read(t, path)
	items, shownBy := page.Evidence(t), page.ShownBy(t)
	said := messages(t, sample("version2-roce"))
	if len(printed) != len(said) {
		t.Fatalf("%d findings were printed, want %d", len(printed), len(said))
	}
	for _, f := range printed {
		marked := false // what has no fault has its bytes closed
		for _, id := range f[3].([]any) {
			i, _ := strconv.Atoi(id.(string))
			for _, x := range items[i].Exhibits {
				marked = marked || len(x.Bad) > 0
			}
		}
		if f[1] == 0.0 || marked && f[2] == 0.0 {
			t.Errorf("%s is printed with %v steps and bytes of %v frames or messages", f[0], f[1], f[2])
		}
	}
	if pages := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1)); pages < 3 || pages > 40 {
		t.Errorf("the PDF has %d pages", pages)
	}
	if scale := printedScale(t, pdf); scale < 0.95 {
		t.Errorf("it is printed at %.2f of its size: something is wider than the paper", scale)
	}
	if p.Is(`document.documentElement.dataset.theme`) {
		t.Error("the page stays light after printing")
	}
	words := wordsOf(t, pdf)
	for n, e := range items {
		if shownBy[n] == "" || e.Ladder == nil {
			continue
		}
		for _, s := range e.Ladder.Steps {
			if !strings.Contains(words, squeezed(s.X)) {
				t.Errorf("%q of %s is not on paper", s.X, shownBy[n])
			}
		}
	}
	for _, m := range said {
		if !strings.Contains(words, squeezed(m[1:])) { // the first letter is a capital there
			t.Errorf("%q is not on paper", m)
		}
	}
}

// wordsOf are the words of a PDF file, without blanks.
func wordsOf(t *testing.T, pdf []byte) string {
	t.Helper()
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("no pdftotext (Debian: apt install poppler-utils): what is on paper was only counted, not read")
	}
	path := filepath.Join(t.TempDir(), "out.pdf")
	if err := os.WriteFile(path, pdf, 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := exec.Command(tool, "-raw", path, "-")
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		t.Fatal(fmt.Errorf("pdftotext: %w", err))
	}
	return squeezed(out.String())
}

// squeezed is a text without blanks: where lines break is not what is compared.
func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// printedScale is by how much the first page of a PDF of Chromium is made smaller, 1 if it is not: of its transformations
// the second one is from CSS pixels to 300 dots an inch.
func printedScale(t *testing.T, pdf []byte) float64 {
	t.Helper()
	matrix := regexp.MustCompile(`([0-9.]+) 0 0 ([0-9.]+) [-0-9. ]+ cm`)
	for _, at := range regexp.MustCompile(`stream\r?\n`).FindAllIndex(pdf, -1) {
		z, err := zlib.NewReader(bytes.NewReader(pdf[at[1]:]))
		if err != nil {
			continue // it is no text that is drawn
		}
		drawn, _ := io.ReadAll(z) // it ends before the stream does
		if m := matrix.FindSubmatch(drawn); m != nil && bytes.HasPrefix(drawn, []byte(".2399")) {
			scale, err := strconv.ParseFloat(string(m[1]), 64)
			if err != nil {
				t.Fatal(err)
			}
			return scale / (300.0 / 96)
		}
	}
	t.Fatal("no page of the PDF is drawn as those of Chromium are")
	return 0
}
