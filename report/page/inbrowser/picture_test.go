package inbrowser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/blocks"
	"github.com/rdmacap/rdmacap/internal/browser"
)

// pictureOf is the report of a sample in a browser, with its picture drawn.
func pictureOf(t *testing.T, b *browser.Browser, name string) (*browser.Page, string) {
	t.Helper()
	path := reportIn(t, sample(name))
	p := opened(t, b, path, "")
	p.Wait("the picture is drawn", `document.querySelector("#picture canvas")?.width > 300`)
	p.Eval(nil, `document.querySelector("#picture").scrollIntoView()`)
	return p, path
}

// inPicture is a place in the picture: part of its width, and the middle of the lane with a title.
func inPicture(p *browser.Page, part float64, lane string) (x, y float64) {
	p.Eval(&x, fmt.Sprintf(`(() => { const r = document.querySelector(".picture-frame").getBoundingClientRect(); return r.left + r.width * %v; })()`, part))
	p.Eval(&y, `[...document.querySelectorAll(".picture-title")].find((e) => e.textContent.startsWith(`+browser.JS(lane)+`)).getBoundingClientRect().bottom + 8`)
	return x, y
}

// browserPicture holds that the stalls of rxe-loss can be seen without a click, that flags and bars lead to their
// findings, and that what is pointed at is reported.
func browserPicture(t *testing.T, b *browser.Browser) {
	p, path := pictureOf(t, b, "rxe-loss")
	var bars []string
	p.Eval(&bars, `[...document.querySelectorAll("#picture .band")].map((e) => e.textContent)`)
	if got := strings.Join(bars, "; "); !strings.Contains(got, "Stall (likely), 2.23 s") || !strings.Contains(got, "Stall (likely), 2.21 s") {
		t.Errorf("the bars are %q: want both stalls", got)
	}
	// Where a stall is, the picture is shaded: it has another colour there than before it.
	shaded := func(js string) bool {
		return p.Is(`(() => {
			const canvas = document.querySelector("#picture canvas"), bar = [...document.querySelectorAll("#picture .band")].find((e) => e.textContent.includes("2.23 s"));
			const scale = canvas.width / canvas.clientWidth, x = (` + js + `) * scale;
			const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
			copy.drawImage(canvas, -x, -4 * scale);
			return copy.getImageData(0, 0, 1, 1).data[3] > 0;
		})()`)
	}
	if !shaded(`bar.offsetLeft + bar.offsetWidth / 2 + 3`) {
		t.Error("a stall is not shaded")
	}
	if shaded(`bar.offsetLeft / 2 + 3`) {
		t.Error("what is no stall is shaded")
	}
	var dead []string
	p.Eval(&dead, `[...document.querySelectorAll("#picture .picture-marks a")].map((a) => a.getAttribute("href")).filter((h) => !document.querySelector(h))`)
	if len(dead) > 0 {
		t.Errorf("flags and bars lead nowhere: %q", dead)
	}
	// Each finding that says when it was found has a flag: of its own, or with others.
	want := 0
	for _, n := range blocks.Read(t, path).Find("article", "finding") {
		if blocks.Attr(n, "data-first") != "" {
			want++
		}
	}
	if got := int(p.Number(`[...document.querySelectorAll("#picture .flag")].reduce((n, e) => n + Number(e.querySelector("sup")?.textContent || 1), 0)`)); got != want {
		t.Errorf("the flags are of %d findings, want %d", got, want)
	}
	x, y := inPicture(p, 0.6, "Bytes")
	p.Move(x, y)
	if said := p.Text(`document.querySelector(".picture-said").textContent`); !strings.Contains(said, "credits used") {
		t.Errorf("pointed at, the picture says %q", said)
	}
	p.Click("#picture .band")
	p.Wait("the finding of the bar is named", `location.hash.startsWith("#finding-") && document.querySelector(":target")?.matches(".finding")`)
	quiet(t, p, path)
}

// browserBrush holds that a drag over the picture shows that time only, everywhere, and that all of it comes back.
func browserBrush(t *testing.T, b *browser.Browser) {
	p, path := pictureOf(t, b, "rxe-loss")
	const hidden = `document.querySelectorAll("#findings > .finding[hidden]").length`
	rows := p.Text(said)
	fromX, y := inPicture(p, 0.02, "Bytes")
	toX, _ := inPicture(p, 0.12, "Bytes")
	p.Drag(fromX, y, toX, y)
	p.Wait("the picture is zoomed", `!document.querySelector("#picture .chart-tools [aria-live]").textContent.includes("drag")`)
	var from, to float64
	if text := p.Text(`document.querySelector("#picture .chart-tools [aria-live]").textContent`); true {
		if n, err := fmt.Sscanf(text, "%f s to %f s", &from, &to); n != 2 {
			t.Fatalf("the time shown is %q: %v", text, err)
		}
	}
	// The capture is of RPCs from 12.580 s to 19.335 s.
	if from < 12.6 || from > 12.8 || to < 13.3 || to > 13.5 {
		t.Errorf("%.3f s to %.3f s are shown", from, to)
	}
	narrow := p.Text(said)
	if narrow == rows || !strings.Contains(narrow, " of 38 RPCs") {
		t.Errorf("the list has %q, as against %q before", narrow, rows)
	}
	if n := p.Number(hidden); n == 0 {
		t.Error("no finding of another time is hidden")
	}
	if p.Is(`document.querySelector("#findings .narrowed").hidden`) {
		t.Error("nothing says that findings are hidden")
	}
	// A link to something that is hidden brings the whole time back.
	p.Eval(nil, `location.hash = "#" + document.querySelector("#findings > .finding[hidden]").id`)
	p.Wait("the whole time is shown", hidden+` === 0 && document.querySelector("#picture .chart-tools [aria-live]").textContent.includes("drag")`)
	if got := p.Text(said); got != rows {
		t.Errorf("the list has %q, want %q", got, rows)
	}
	quiet(t, p, path)
}

// browserPictureKeys holds that the picture works by keys: an RPC is found and opened, time is zoomed.
func browserPictureKeys(t *testing.T, b *browser.Browser) {
	p, path := pictureOf(t, b, "rxe-basic")
	p.Eval(nil, `document.querySelector(".picture-frame").focus()`)
	p.Press("ArrowRight", "ArrowRight")
	words := p.Text(`document.querySelector(".picture-frame").getAttribute("aria-valuetext")`)
	p.Press("Enter")
	p.Wait("an RPC is open", `!document.querySelector(".rpc-panel").hidden`)
	xid := strings.TrimPrefix(p.Text(`location.hash`), "#rpc-")
	if !strings.Contains(words, xid) {
		t.Errorf("%s was opened, but %q pointed at", xid, words)
	}
	p.Eval(nil, `document.querySelector(".picture-frame").focus()`)
	p.Press("+")
	p.Wait("half of the time is shown", `!document.querySelector("#picture .chart-tools [aria-live]").textContent.includes("drag")`)
	p.Press("0")
	p.Wait("all of the time is shown", `document.querySelector("#picture .chart-tools [aria-live]").textContent.includes("drag")`)
	quiet(t, p, path)
}

// browserPictureTable holds that the picture's table counts what the capture's summary counts.
func browserPictureTable(t *testing.T, b *browser.Browser) {
	p, _ := pictureOf(t, b, "rxe-loss")
	p.Eval(nil, `document.querySelector("#picture details.as-table").open = true`)
	p.Wait("the table is there", `document.querySelector("#picture .as-table tbody tr")`)
	sum := func(head string) float64 {
		return p.Number(`(() => {
			const heads = [...document.querySelectorAll("#picture .as-table th")].map((e) => e.textContent);
			const column = heads.indexOf(` + browser.JS(head) + `);
			return [...document.querySelectorAll("#picture .as-table tbody tr")].reduce((n, row) => n + Number(row.children[column].textContent), 0);
		})()`)
	}
	if got := sum("Lost frames") + sum("Retransmissions"); got != 2202 {
		t.Errorf("the table has %v frames that were sent again, want the summary's 2202", got)
	}
	if got := sum("Lost frames"); got != 24 {
		t.Errorf("the table has %v lost frames, want the summary's 24", got)
	}
}
