package inbrowser

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/blocks"
	"github.com/rdmacap/rdmacap/internal/browser"
	"github.com/rdmacap/rdmacap/internal/long"
)

// TestBrowser looks at reports in a Chromium that all these tests share: to start one
// takes longer than most of them. Each has pages of its own, which share nothing.
func TestBrowser(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	t.Run("ManyRPCs", func(t *testing.T) { browserManyRPCs(t, b) }) // before the others: it reports how fast it is
	for _, test := range []struct {
		name string
		run  func(*testing.T, *browser.Browser)
		long bool // it is left to the long tests
	}{
		{"Opens", browserOpens, false},
		{"Fields", browserFields, false},
		{"Colours", browserColours, true},
		{"Zoomed", browserZoomed, true},
		{"Print", browserPrint, true},
		{"Names", browserNames, true},
		{"Tab", browserTab, false},
		{"Links", browserLinks, false},
		{"FindingLinks", browserFindingLinks, false},
		{"LinksStay", browserLinksStay, true},
		{"LinksOfSeveral", browserLinksOfSeveral, true},
		{"Finding", browserFinding, false},
		{"Ladder", browserLadder, false},
		{"Narrow", browserNarrow, false},
		{"Late", browserLate, false},
		{"Step", browserStep, false},
		{"AtOnce", browserAtOnce, false},
		{"Compare", browserCompare, false},
		{"CompareMarked", browserCompareMarked, false},
		{"CompareNarrow", browserCompareNarrow, false},
		{"Bytes", browserBytes, false},
		{"Filter", browserFilter, false},
		{"FilterFiles", browserFilterFiles, true},
		{"Sort", browserSort, false},
		{"Columns", browserColumns, false},
		{"ColumnsNarrow", browserColumnsNarrow, false},
		{"Row", browserRow, false},
		{"Note", browserNote, true},
		{"Zoom", browserZoom, true},
		{"ChartNumbers", browserChartNumbers, true},
		{"Menu", browserMenu, false},
		{"Address", browserAddress, false},
		{"Absent", browserAbsent, false},
		{"Picture", browserPicture, false},
		{"Brush", browserBrush, false},
		{"PictureKeys", browserPictureKeys, false},
		{"PictureTable", browserPictureTable, true},
		{"Axe", browserAxe, false},
		{"Strangers", browserStrangers, false},
		{"Policy", browserPolicy, false},
		{"WithoutScript", browserWithoutScript, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.long && !long.Tests {
				t.Skip("takes a second of a Chromium's time: with -tags long")
			}
			t.Parallel()
			test.run(t, b)
		})
	}
}

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
	for _, n := range blocks.Read(t, path).Find("article", "finding") {
		if blocks.Attr(n, "data-rule") == rule && !blocks.HasClass(n, "effect") {
			return blocks.Attr(n, "id")
		}
	}
	t.Fatalf("there is no finding of %s", rule)
	return ""
}

// unfold opens all that can be opened, so that all of the page is there. What waits to come
// into sight is built as for a printer: to scroll there takes a picture for each.
func unfold(p *browser.Page) {
	p.Eval(nil, `(async () => {
		dispatchEvent(new WheelEvent("wheel")); // else what the address names is held in sight at first
		const rest = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
		dispatchEvent(new Event("beforeprint"));
		dispatchEvent(new Event("afterprint"));
		await rest();
		for (;;) {
			const closed = document.querySelectorAll("details:not([open])"), folds = document.querySelectorAll("button.fold");
			if (closed.length + folds.length === 0) break;
			for (const e of closed) e.open = true;
			for (const e of folds) e.click();
			await rest();
		}
	})()`)
}

// atRest is true once the page has drawn itself some times and stayed as high, and where it
// was: what comes into sight is built before the next time.
const atRest = `(async () => {
	for (let same = 0, before = ""; same < 5;) {
		await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
		const now = [document.body.offsetHeight, scrollY].join();
		same = now === before ? same + 1 : 0;
		before = now;
	}
	return true;
})()`

// quiet complains about all that a page said, and all that it asked for but itself.
func quiet(t *testing.T, p *browser.Page, path string) {
	t.Helper()
	for _, s := range p.Messages() {
		t.Errorf("the page said %s", s)
	}
	for _, r := range p.Requests() {
		if r, _, _ = strings.Cut(r, "#"); r != address(path) {
			t.Errorf("the page asked for %s", r)
		}
	}
}

// browserOpens holds that the report of each shipped capture shows all that it has
// without a word to the console and without a request.
func browserOpens(t *testing.T, b *browser.Browser) {
	all, err := filepath.Glob(sample("*"))
	if err != nil || len(all) == 0 {
		t.Fatal(err, "no samples")
	}
	for _, path := range long.Pick([]string{sample("rxe-perftest"), sample("version2-roce")}, all) {
		name := strings.TrimSuffix(filepath.Base(path), ".pcap.zst")
		t.Run(name, func(t *testing.T) {
			path := reportIn(t, sample(name))
			p := opened(t, b, path, "")
			unfold(p)
			p.Wait("each finding has its views and each connection its charts", `!document.querySelector(
				".finding[data-evidence]:not([data-evidence='']) > :is(.views, .more > .views):not(:has(.ladder, .exhibit)), .charts:not(:has(canvas))")`)
			if !slices.Contains(p.Requests(), address(path)) {
				t.Errorf("the page itself is not among the requests %q", p.Requests())
			}
			p.Eval(nil, `document.querySelector(".rpc-row:not([hidden])")?.click()`)
			quiet(t, p, path)
		})
	}
}
