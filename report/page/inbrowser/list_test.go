package inbrowser

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/browser"
)

// filterBy writes a filter and applies it.
func filterBy(p *browser.Page, expr string) {
	p.Eval(nil, `(() => { const i = document.querySelector("#rpc-filter"); i.focus(); i.select(); })()`)
	p.Type(expr)
	p.Press("Escape", "Enter") // without the suggestions
}

// said is what the list says of how many rows it shows.
const said = `document.querySelector(".rpc-shown").textContent`

// browserFilter holds the filter of the page against that of read.
func browserFilter(t *testing.T, b *browser.Browser) {
	capture := sample("rxe-basic")
	p := opened(t, b, reportIn(t, capture), "#rpcs")
	for _, expr := range []string{
		"nfs.op == READ and rpc.latency > 10ms", "nfs.op in {GETATTR, LOOKUP}", "rpc.xid == 0xb92d105d", `nfs.status == NFS4ERR_NOENT or rpc.latency >= 50ms and rpc.latency < 60ms`,
		"ip.addr == 192.0.2.1 and rpc.program != 100003", "rpc.latency > 1h",
		"nfs.op == READ and nfs.offset >= 64KiB and nfs.count > 4k", "nfs.name matches '[.]bin$' or frame.number in {100..200}", "",
	} {
		want := strings.Count(must(t, "read", "-q", "--format", "ndjson", "-Y", expr, capture), `{"type":"rpc"`)
		filterBy(p, expr)
		what := fmt.Sprintf("%d of 566 RPCs", want)
		if want == 566 {
			what = "566 RPCs"
		}
		if got := p.Text(said); got != what {
			t.Errorf("%q: %s, want %s", expr, got, what)
		}
		if p.Is(`!document.querySelector(".rpc-error").hidden`) {
			t.Errorf("%q: %s", expr, p.Text(`document.querySelector(".rpc-error").textContent`))
		}
		rows := int(p.Number(`+document.querySelector(".rpc-grid").getAttribute("aria-rowcount")`)) - 1
		if drawn := int(p.Number(`document.querySelectorAll(".rpc-row:not([hidden])").length`)); rows != want || drawn == 0 && want > 0 {
			t.Errorf("%q: %d of %d rows are drawn, want %d", expr, drawn, rows, want)
		}
	}
	for _, expr := range []string{"rpc.latency > 10xs and nfs.op", "nosuch.field == 1", "nfs.op == (", "nfs.op =="} {
		_, want, _ := rdmacap(t, "read", "-Y", expr, capture)
		want = strings.TrimPrefix(want, "rdmacap: --filter: ")
		filterBy(p, expr)
		if got := p.Text(`document.querySelector(".rpc-error:not([hidden])")?.textContent ?? ""`); got != strings.TrimRight(want, "\n") {
			t.Errorf("%q: the page says\n%s\nread says\n%s", expr, got, want)
		}
		if !p.Is(`document.querySelector("#rpc-filter[aria-invalid=true][aria-describedby=rpc-filter-error]")`) {
			t.Errorf("%q: a screen reader is not told that it is wrong", expr)
		}
		if got := p.Text(said); got != "566 RPCs" {
			t.Errorf("%q: %s, though the filter is wrong", expr, got)
		}
	}

	// What the page does not have, a command has that can be copied.
	for _, expr := range []string{"rdma.offset > 0 and nfs.op == READ", "nfs3.fattr3.size > 1KiB", `bth.psn > 5 and frame.protocol == "RoCEv2"`, "rdma.position == 0 and rdma.xid"} {
		filterBy(p, expr)
		text := p.Text(`document.querySelector(".rpc-error:not([hidden])")?.textContent ?? ""`)
		_, command, _ := strings.Cut(text, "not in this page; to see it: rdmacap ")
		args, quoted, ok := strings.Cut(command, " -Y ")
		if !ok || quoted != "'"+expr+"'" {
			t.Errorf("%q: the page says\n%s", expr, text)
			continue
		}
		must(t, append(strings.Fields(strings.ReplaceAll(args, filepath.Base(capture), capture)), "-Y", expr)...)
	}

	// Who writes is filtered for without asking, and is offered what can follow.
	p.Eval(nil, `(() => { const i = document.querySelector("#rpc-filter"); i.focus(); i.select(); })()`)
	p.Type("nfs.op == REA")
	p.Wait("there are suggestions", `document.querySelector(".rpc-suggestions:not([hidden]) [role=option]")`)
	p.Press("ArrowDown", "Enter")
	p.Wait("what was chosen is filtered for", said+`.includes(" of ")`)
	if got := p.Text(`document.querySelector("#rpc-filter").value`); !strings.HasPrefix(got, "nfs.op == READ") {
		t.Errorf("the first suggestion made %q", got)
	}
	for begin, want := range map[string]string{"nfs.fh": "nfs.fh nfs.fh.hash", "nfs.name ma": "matches", "rdma.ha": "rdma.handle"} {
		p.Eval(nil, `(() => { const i = document.querySelector("#rpc-filter"); i.focus(); i.select(); })()`)
		p.Type(begin)
		if got := p.Text(`[...document.querySelectorAll(".rpc-suggestions:not([hidden]) .word")].map((e) => e.textContent).join(" ")`); got != want {
			t.Errorf("%q suggests %q, want %q", begin, got, want)
		}
	}
	filterBy(p, "") // what is wrong with those would be reported some time later, and move what is below
	p.Click(".rpc-fields summary")
	p.Wait("the help is there", `document.querySelector(".rpc-fields table")`)
	for _, want := range []string{"nfs.fh.hash", "nfs.name", "rdma.handle", "rdmacap read --level frame -Y: "} {
		if !strings.Contains(p.Text(`document.querySelector(".rpc-fields").textContent`), want) {
			t.Errorf("the help of the filter lacks %s", want)
		}
	}
}

// tall makes the list so high that many rows are in sight at once.
func tall(p *browser.Page) {
	p.Eval(nil, `(async () => {
		const grid = document.querySelector(".rpc-grid");
		grid.style.maxHeight = "none";
		grid.style.height = "4000px";
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
	})()`)
}

// cells are the texts of a column of all rows, as they go by when the list is scrolled.
func cells(p *browser.Page, column string) (all []string) {
	p.Eval(&all, `(async () => {
		const grid = document.querySelector(".rpc-grid"), all = [];
		for (grid.scrollTop = 0;; grid.scrollTop += grid.clientHeight / 2) {
			await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
			for (const row of grid.querySelectorAll(".rpc-row:not([hidden])")) {
				all[row.getAttribute("aria-rowindex") - 2] = row.querySelector(".c-`+column+`").textContent;
			}
			if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1) return all;
		}
	})()`)
	return all
}

// A cell is what a row is sorted by.
type cell struct {
	number float64
	text   string
}

// cellOf reads the text of a cell: a number, a duration or a word that has a place
// among others, or text, which may be cut.
func cellOf(text string) cell {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return cell{number: n}
	}
	if d, err := time.ParseDuration(strings.ReplaceAll(text, " ", "")); err == nil {
		return cell{number: float64(d)}
	}
	for _, words := range [][]string{{"–", "inline", "chunked", "long"}, {"", "● note", "▲ warning", "✖ error"}} {
		call, reply, _ := strings.Cut(text, ", ")
		if i := slices.Index(words, call); i >= 0 {
			return cell{number: float64(i*len(words)+max(0, slices.Index(words, reply))) - 1}
		}
	}
	return cell{text: strings.TrimSuffix(text, "…")}
}

// browserSort holds that each column sorts all rows both ways.
func browserSort(t *testing.T, b *browser.Browser) {
	p := opened(t, b, reportIn(t, sample("rxe-cb")), "#rpcs")
	tall(p)
	var columns []string
	p.Eval(&columns, `[...document.querySelectorAll(".rpc-head .cell")].map((e) => [...e.classList].find((c) => c.startsWith("c-")).slice(2))`)
	if len(columns) < 15 {
		t.Fatalf("there are only %d columns: %q", len(columns), columns)
	}
	for _, c := range columns {
		for _, direction := range []string{"ascending", "descending"} {
			if c == "no" && direction == "ascending" {
				p.Click(".rpc-head .c-xid button") // it was sorted by this column before
			}
			p.Click(".rpc-head .c-" + c + " button")
			if got := p.Text(`document.querySelector(".rpc-head .c-` + c + `").getAttribute("aria-sort")`); got != direction {
				t.Errorf("%s is sorted %s, want %s", c, got, direction)
			}
			if p.Is(`(() => { const b = document.querySelector(".rpc-head .c-` + c + ` button"); return b.scrollWidth > b.clientWidth; })()`) {
				t.Errorf("%s %s: its heading is cut", c, direction)
			}
			texts := cells(p, c)
			if len(texts) != 116 {
				t.Errorf("%s: %d rows, want 116", c, len(texts))
			}
			for i := 1; i < len(texts); i++ {
				a, b := cellOf(texts[i-1]), cellOf(texts[i])
				if direction == "descending" {
					a, b = b, a
				}
				if cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.text, b.text)) > 0 {
					t.Errorf("%s %s: %q comes before %q", c, direction, texts[i-1], texts[i])
					break
				}
			}
		}
	}
	var calls []string // the frames of the calls, as the program finds them
	eachRPC(t, sample("rxe-cb"), nil, func(r *dissect.RPC) {
		call := "–"
		if r.Call != nil {
			call = strconv.FormatInt(r.Call.Frame().Number, 10)
		}
		calls = append(calls, call)
	})
	p.Click(".rpc-head .c-no button")
	if got := cells(p, "rpc_call_frame"); len(calls) != 116 || !slices.Equal(got, calls) {
		t.Errorf("the column of the calls' frames has %q, want %q", got, calls)
	}
	numbers := cells(p, "no")
	slices.Sort(numbers)
	if n := len(slices.Compact(numbers)); n != 116 {
		t.Errorf("%d different rows are left after sorting, want 116", n)
	}
}

// panel is the title of what is open below the list, "" if nothing is.
const panel = `(() => {
	const p = document.querySelector(".rpc-panel");
	return p.hidden ? "" : p.querySelector("h3").firstChild.textContent;
})()`

// browserRow holds that an RPC is opened by mouse and by keys, with all that is of it.
func browserRow(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("rxe-basic"))
	p := opened(t, b, path, "#rpcs")
	row := func(n int) string { return fmt.Sprintf(`.rpc-row[aria-rowindex="%d"]`, n+1) }
	xid := func(n int) string { return p.Text(`document.querySelector('` + row(n) + ` .c-xid').textContent`) }

	first := xid(1)
	p.Click(row(1) + " .c-name")
	p.Wait("the RPC is open with its ladder", `document.querySelector(".rpc-panel .ladder .step")`)
	p.Click(".rpc-panel .exhibit summary")
	p.Wait("the bytes of the call are open", `document.querySelector(".rpc-panel .exhibit .dump")`)
	if got, want := p.Text(panel), "NFS3 NULL, XID "+first; got != want {
		t.Errorf("a click opened %q, want %q", got, want)
	}
	if got := p.Text("location.hash"); got != "#rpc-"+first {
		t.Errorf("the address ends in %s, want #rpc-%s", got, first)
	}
	if !p.Is(`document.querySelector('` + row(1) + `').getAttribute("aria-selected") === "true"`) {
		t.Error("the row is not marked as the one that is open")
	}

	p.Click(".rpc-panel .ladder .step a") // the frame of the call, of which only the message was kept
	p.Wait("the message is open, and has the focus", `(() => {
		const e = document.querySelector(".rpc-panel .exhibit[data-frame='85']");
		return e?.open && e.contains(document.activeElement) && e.querySelector(".dump");
	})()`)

	p.Press("Escape")
	p.Eval(nil, `document.querySelector(".rpc-grid").focus()`)
	p.Press("Home", "ArrowDown", "ArrowDown")
	third := xid(3)
	p.Press("Enter")
	p.Wait("the third RPC is open", panel+`.endsWith(`+browser.JS(third)+`)`)
	p.Wait("its title has the focus", `document.activeElement.id === "rpc-panel-title"`)
	p.Press("Tab", "Tab", "Tab", "Enter") // link to itself, previous, next
	p.Wait("the next one is open", panel+`.endsWith(`+browser.JS(xid(4))+`)`)
	p.Press("Escape")
	if !p.Is(panel + ` === "" && document.activeElement.classList.contains("rpc-grid") && location.hash === "#rpcs"`) {
		t.Error("Escape does not lead from the RPC back to the list")
	}
	if uids := cells(p, "rpc_auth_sys_uid"); uids[0] != "–" || uids[1] != "0" {
		t.Errorf("the users of the first two RPCs are %q and %q", uids[0], uids[1])
	}
	p.Eval(nil, `document.querySelector(".rpc-grid").focus()`)
	p.Press("End")
	if !p.Is(`document.querySelector('` + row(566) + `').id === document.querySelector(".rpc-grid").getAttribute("aria-activedescendant")`) {
		t.Error("End does not lead to the last row")
	}
	quiet(t, p, path)
}

// browserNote holds that an RPC with a note alone is not said to be at fault: neither
// below the finding nor where it is opened.
func browserNote(t *testing.T, b *browser.Browser) {
	p := opened(t, b, reportIn(t, sample("rxe-loss")), "#rpc-0xe7ccea83")
	p.Wait("its marks are there", `document.querySelector(".rpc-panel .at-fault")`)
	if marks := p.Text(`[...document.querySelectorAll(".rpc-panel .at-fault")].map((e) => e.textContent).join()`); strings.Contains(marks, "✗") || !strings.Contains(marks, "●") {
		t.Errorf("the marks are %s", marks)
	}
}
