package inbrowser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/blocks"
	"github.com/rdmacap/rdmacap/internal/browser"
	"github.com/rdmacap/rdmacap/internal/long"
)

// rpcFrames are the frames of the calls that read reports an XID, in its order.
func rpcFrames(t *testing.T, capture, xid string) (frames []int) {
	t.Helper()
	for line := range strings.Lines(must(t, "read", "-q", "--format", "ndjson", "-Y", "rpc.xid == "+xid, capture)) {
		var r struct {
			Type string
			Call struct{ Frame int }
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Type == "rpc" {
			frames = append(frames, r.Call.Frame)
		}
	}
	return frames
}

// panelHas is whether a text is in what is open below the list, and that is in sight.
func panelHas(text string) string {
	return `(() => {
		const p = document.querySelector(".rpc-panel"), top = p.getBoundingClientRect().top;
		return !p.hidden && 0 <= top && top < innerHeight && p.textContent.includes(` + browser.JS(text) + `);
	})()`
}

// browserLinks holds that addresses that were mailed lead to what they name.
func browserLinks(t *testing.T, b *browser.Browser) {
	capture := sample("rxe-krb")
	path := reportIn(t, capture)

	t.Run("rpc", func(t *testing.T) {
		const xid = "0xc3884bc5"
		frames := rpcFrames(t, capture, xid)
		if len(frames) != 3 {
			t.Fatalf("XID %s has the frames %d, want three", xid, frames)
		}
		p := b.Page(t)
		for i, suffix := range long.Pick([]string{"", ".2"}, []string{"", ".2", ".3"}) {
			p.Open("about:blank")
			visit(p, path, "#rpc-"+xid+suffix)
			p.Wait("the RPC is in sight", panelHas(fmt.Sprintf("Callframe %d,", frames[i])))
		}
		if long.Tests {
			p.Open("about:blank")
			visit(p, path, "#rpc-"+xid+".4")
			p.Wait("it is said that there is no fourth", panelHas("The capture has only 3 RPCs with this XID."))
		}
		p.Open("about:blank")
		visit(p, path, "#rpc-0x00c0ffee")
		p.Wait("it is said that there is none", panelHas("The capture has no RPC with this XID."))
		quiet(t, p, path)
	})

	// Each connection has that XID once.
	t.Run("rpc of a finding", func(t *testing.T) {
		p := opened(t, b, path, "#findings")
		p.Wait("the list is there", `document.querySelector(".rpc-grid") !== null`)
		var wrong []string
		p.Eval(&wrong, `(async () => {
			const wrong = [];
			for (const where of document.querySelectorAll(".finding > .where")) {
				const rpc = where.querySelector("a[href^='#rpc-']"), connection = where.querySelector("a[href^='#connection-']");
				if (!rpc || !connection) continue;
				document.querySelector("#rpc-panel-title").textContent = "";
				rpc.click();
				for (let i = 0; i < 100 && !document.querySelector("#rpc-panel-title").textContent; i++) await new Promise((r) => setTimeout(r, 10));
				const facts = document.querySelector(".rpc-panel .facts");
				const opened = facts?.querySelector("a[href^='#connection-']")?.hash;
				if (opened !== connection.hash) wrong.push(where.textContent + " opens one of " + opened);
				else if (!facts.querySelector("a[href='#" + where.parentElement.id + "']")) wrong.push(where.textContent + ": the RPC does not name the finding");
			}
			return wrong;
		})()`)
		for _, w := range wrong {
			t.Error(w)
		}
	})

	t.Run("frame", func(t *testing.T) {
		page := blocks.Read(t, path)
		kept, brought := 0, 0 // a frame that is in the page, and one of which only the message is
		whole := make(map[int]bool)
		items := page.Evidence(t)
		for _, e := range items {
			for _, x := range e.Exhibits {
				if x.F > 0 && e.Row >= 0 && x.Part == 0 {
					kept, whole[x.F] = x.F, true
				}
			}
		}
		for _, e := range items {
			for _, x := range e.Exhibits {
				if x.Part == 1 && e.Row >= 0 && !whole[x.F] {
					brought = x.F
				}
			}
		}
		if kept == 0 || brought == 0 {
			t.Fatalf("frames %d and %d are in the page", kept, brought)
		}
		p := opened(t, b, path, fmt.Sprintf("#frame-%d", kept))
		p.Wait("the bytes of the frame are in sight and have the focus", fmt.Sprintf(`(() => {
			const e = document.querySelector('.rpc-panel .exhibit[data-frame="%d"]'), top = e?.getBoundingClientRect().top;
			return e?.open && 0 <= top && top < innerHeight && e.contains(document.activeElement) && e.querySelector(".dump");
		})()`, kept))

		p.Open("about:blank")
		visit(p, path, fmt.Sprintf("#frame-%d", brought))
		p.Wait("the message of the frame is in sight, and it is said that it is that", fmt.Sprintf(`(() => {
			const e = document.querySelector('.rpc-panel .exhibit[data-frame="%[1]d"]'), top = e?.getBoundingClientRect().top;
			return e?.open && 0 <= top && top < innerHeight && e.contains(document.activeElement) && e.querySelector(".dump") &&
				/^(Call|Reply), .* in frame %[1]d/.test(e.querySelector("summary").textContent) &&
				e.querySelector(".missing").textContent.startsWith("These are the bytes of the message that it completed. The page does not have all bytes of frame %[1]d. To see it: rdmacap read --level frame ");
		})()`, brought))

		p.Open("about:blank")
		visit(p, path, "#frame-1")
		p.Wait("it is said that the frame is not there", panelHas("The page does not have its bytes."))
		command := p.Text(`document.querySelector(".rpc-panel code").textContent`)
		words := strings.Fields(strings.ReplaceAll(command, "'", " "))
		expr := strings.Join(words[6:len(words)-1], " ")
		if got := must(t, append(words[1:6], expr, capture)...); !strings.Contains(got, "Frame 1") && !strings.Contains(got, "0000") {
			t.Errorf("%s\nshows\n%s", command, got)
		}
	})

	t.Run("finding and connection", func(t *testing.T) {
		p := b.Page(t)
		for _, id := range []string{"#finding-3", "#connection-9", "#finding-1", "#connection-1", "#left-out", "#rpcs"}[:long.Pick(2, 6)] {
			p.Open("about:blank")
			visit(p, path, id)
			p.Wait(id+" is in sight", inSight(id))
		}
	})

	t.Run("back and forward", func(t *testing.T) {
		p := opened(t, b, path, "")
		const link = `.finding .where a[href^="#rpc-"]`
		finding := "#" + p.Text(`document.querySelector('`+link+`').closest(".finding").id`)
		rpc := p.Text(`document.querySelector('` + link + `').getAttribute("href")`)
		xid, _, _ := strings.Cut(strings.TrimPrefix(rpc, "#rpc-"), ".")
		p.Click(finding + " .self")
		p.Wait("the finding is in sight", inSight(finding)+` && location.hash === `+browser.JS(finding))
		p.Click(finding + " .where a[href^='#rpc-']")
		p.Wait("the RPC is in sight", panelHas(xid))
		p.Eval(nil, "history.back()")
		p.Wait("the finding is in sight again", inSight(finding)+` && location.hash === `+browser.JS(finding))
		p.Eval(nil, "history.forward()")
		p.Wait("the RPC is in sight again", panelHas(xid)+` && location.hash === `+browser.JS(rpc))
		quiet(t, p, path)
	})
}

// browserFindingLinks holds that findings are numbered in the order of the page, and that each link of a
// finding, and of the table by rule, leads to something that is there.
func browserFindingLinks(t *testing.T, b *browser.Browser) {
	for _, name := range long.Pick([]string{"rxe-krb"}, []string{"rxe-krb", "rxe-loss", "siw-basic"}) {
		path := reportIn(t, sample(name))
		p := opened(t, b, path, "")
		var ids []string
		p.Eval(&ids, `[...document.querySelectorAll(".finding")].map((f) => f.id)`)
		for i, id := range ids {
			if want := fmt.Sprintf("finding-%d", i+1); id != want {
				t.Errorf("%s: %s comes where %s should", name, id, want)
			}
		}
		var links []string
		p.Eval(&links, `[...new Set([...document.querySelectorAll(".finding .where a, .finding .same a, .finding .self, .by-rule a, #verdict a")].map((a) => a.getAttribute("href")))]`)
		if len(links) < 2*len(ids) {
			t.Errorf("%s: %d findings have %d links", name, len(ids), len(links))
		}
		for _, link := range links {
			if !strings.HasPrefix(link, "#rpc-") && !strings.HasPrefix(link, "#frame-") {
				if !p.Is(`document.getElementById(` + browser.JS(link[1:]) + `)`) {
					t.Errorf("%s: nothing is called %s", name, link)
				}
				continue
			}
			p.Eval(nil, `document.querySelector("[aria-label='Close this RPC']").click(); location.hash = `+browser.JS(link))
			p.Wait(link+" is open below the list", `!document.querySelector(".rpc-panel").hidden`)
			if strings.HasPrefix(link, "#rpc-") && !p.Is(`document.querySelector(".rpc-panel .self")?.getAttribute("href") === `+browser.JS(link)) {
				t.Errorf("%s: %s is not in the page", name, link)
			}
		}
		quiet(t, p, path)
	}
}

// browserLinksStay holds that what an address names is in sight when all of the page
// is there, also in browsers that do not hold what they show while the page grows.
func browserLinksStay(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("rxe-krb"), sample("version2-roce"), sample("siw-perftest"))
	p := b.Page(t)
	p.Call("Page.addScriptToEvaluateOnNewDocument", browser.Params{"source": `
		const sheet = new CSSStyleSheet();
		sheet.replaceSync("* { overflow-anchor: none }");
		document.adoptedStyleSheets = [sheet];
		// The page holds it for some seconds. On a busy machine that is not enough to fill it.
		const timer = setTimeout;
		window.setTimeout = (f, ms, ...args) => timer(f, ms >= 1000 ? 100 * ms : ms, ...args);`}, nil)
	page := blocks.Read(t, path)
	ids := []string{"#connection-2"}
	for _, class := range []string{"finding", "connection"} {
		list := page.Find(map[string]string{"finding": "article", "connection": "section"}[class], class)
		ids = append(ids, "#"+blocks.Attr(list[len(list)/2], "id"), "#"+blocks.Attr(list[len(list)-1], "id"))
	}
	frames := 0
	for _, e := range page.Evidence(t) {
		if x := e.Exhibits; frames < 2 && len(x) > 0 && x[0].F > 0 {
			frames++
			ids = append(ids, fmt.Sprintf("#frame-%d.%d", x[0].File, x[0].F))
		}
	}
	ids = append(ids, "#rpc-0xc3884bc5", "#rpc-0xc3884bc5.2", "#frame-0.1")
	for i, id := range ids {
		if i%long.Pick(4, 1) != 0 {
			continue // a large page is opened for each
		}
		p.Open("about:blank")
		visit(p, path, id)
		if !strings.HasPrefix(id, "#finding") && !strings.HasPrefix(id, "#connection") {
			p.Wait(id+" is found", `document.activeElement.closest(".rpc-panel")`)
		}
		p.Wait("the page is as high as it gets", atRest)
		if !p.Is(`(() => {
			const e = document.getElementById(` + browser.JS(id[1:]) + `) ?? document.activeElement, top = e.getBoundingClientRect().top;
			return e !== document.body && -1 <= top && top < innerHeight && (e.id === ` + browser.JS(id[1:]) + ` || e.closest(".rpc-panel"));
		})()`) {
			t.Errorf("%s is not in sight: %s", id, p.Text(`[document.activeElement.outerHTML.slice(0, 80), scrollY, innerHeight, document.activeElement.getBoundingClientRect().top,
				document.getElementById(`+browser.JS(id[1:])+`)?.getBoundingClientRect().top].join(" | ")`))
		}
	}
}

// browserLinksOfSeveral holds that frames of several captures have their file in
// their links.
func browserLinksOfSeveral(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("rxe-cb"), sample("siw-cb"))
	p := opened(t, b, path, "")
	hrefs := p.Text(`[...document.querySelectorAll("a[href^='#frame-']")].map((a) => a.getAttribute("href")).join(" ")`)
	for href := range strings.FieldsSeq(hrefs) {
		if !strings.HasPrefix(href, "#frame-0.") && !strings.HasPrefix(href, "#frame-1.") {
			t.Errorf("the link %s has no file", href)
		}
	}
	for file := range 2 {
		frame := strings.Fields(hrefs[strings.Index(hrefs, fmt.Sprintf("#frame-%d.", file)):])[0]
		p.Open("about:blank")
		visit(p, path, frame)
		p.Wait(frame+" is shown, with its step or its bytes in sight", `(() => {
			const e = document.activeElement, top = e.getBoundingClientRect().top;
			return e.closest(".rpc-panel") && 0 <= top && top < innerHeight &&
				(e.closest(".exhibit")?.dataset.frame ?? e.textContent) === `+browser.JS(strings.TrimPrefix(frame, "#frame-"))+`;
		})()`)
	}
}

// browserAbsent holds that a link to something that is not in the page says whether the capture lacks it.
func browserAbsent(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("rxe-cb"))
	for fragment, want := range map[string]string{
		"#connection-99":  "The capture has ",
		"#finding-999":    "Numbers differ from page to page",
		"#frame-99999":    "frames only.",
		"#rpc-0x00000abc": "The capture has no RPC with this XID.",
	} {
		p := opened(t, b, path, fragment)
		p.Wait("it is said what is not there: "+fragment, `document.querySelector(".rpc-panel:not([hidden]) .missing")?.textContent.includes(`+browser.JS(want)+`)`)
		if !p.Is(`document.activeElement.closest(".rpc-panel")`) {
			t.Errorf("%s: what is said has no focus", fragment)
		}
		quiet(t, p, path)
	}
}

// browserMenu holds that the menu stays in sight and says where in the page somebody is, and that nothing that a link leads to
// is hidden below it.
func browserMenu(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("rxe-cb"))
	p := opened(t, b, path, "")
	const menu = `document.getElementById("menu").getBoundingClientRect()`
	for _, section := range []string{"connections", "rpcs", "verdict"} {
		p.Click(`#menu a[href="#` + section + `"]`)
		p.Wait("the menu names "+section, `document.querySelector("#menu a[aria-current]").hash === "#`+section+`"`)
		if p.Is(menu+`.top !== 0`) && section != "verdict" {
			t.Errorf("at %s the menu is at %v", section, p.Number(menu+`.top`))
		}
		if p.Is(`document.getElementById("` + section + `-title").getBoundingClientRect().top < ` + menu + `.bottom`) {
			t.Errorf("the heading of %s is below the menu", section)
		}
	}
	if n := p.Number(`document.querySelectorAll("#menu a[aria-current]").length`); n != 1 {
		t.Errorf("the menu names %v sections at once", n)
	}
}

// browserAddress holds that the address says how the page is shown, and that who opens it sees the same: the time, the filter,
// the order, the first row in sight and the RPC that is open; that a link leaves all of that, and nonsense does no harm.
func browserAddress(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("rxe-basic"))
	p := opened(t, b, path, "")
	state := func(p *browser.Page) (s string) {
		t.Helper()
		p.Wait("the list rests", `new Promise((done) => setTimeout(() => done(true), 400))`)
		return p.Text(`JSON.stringify([
			document.querySelector("#picture .chart-tools [aria-live]").textContent,
			document.querySelector("#rpc-filter").value,
			document.querySelector(".rpc-head [aria-sort]").className + document.querySelector(".rpc-head [aria-sort]").ariaSort,
			document.querySelector(".rpc-shown").textContent,
			document.querySelector(".rpc-grid").scrollTop,
			document.querySelector("#rpc-panel-title")?.textContent,
		])`)
	}
	p.Eval(nil, `document.querySelector("#picture [aria-label='Zoom in']").click()`)
	filterBy(p, "rpc.latency > 1us")
	p.Eval(nil, `document.querySelector(".rpc-head .c-latency button").click()`)
	p.Eval(nil, `document.querySelector(".rpc-head .c-latency button").click()`)
	p.Eval(nil, `document.querySelector(".rpc-row[aria-rowindex='4']").click()`)
	p.Eval(nil, `document.querySelector(".rpc-grid").scrollTop = 40 * document.querySelector(".rpc-row").offsetHeight`)
	want := state(p)
	p.Wait("the address names the first row in sight", `location.hash.includes(";at=40")`)
	hash := p.Text(`location.hash`)
	for _, part := range []string{"#rpc-0x", ";t=", ";y=rpc.latency%20%3E%201us", ";sort=-latency", ";at=40"} {
		if !strings.Contains(hash, part) {
			t.Errorf("the address %s lacks %s", hash, part)
		}
	}
	q := opened(t, b, path, hash)
	if got := state(q); got != want {
		t.Errorf("opened again the page shows\n%s, want\n%s", got, want)
	}
	if got := q.Text(`location.hash`); got != hash {
		t.Errorf("opened again the address is %s, want %s", got, hash)
	}
	// A link changes what is named, and the section comes into sight.
	q.Click(`#menu a[href="#connections"]`)
	q.Wait("the address names the connections, and keeps the rest", `location.hash.startsWith("#connections;t=") && location.hash.includes(";sort=-latency")`)
	q = opened(t, b, path, "#finding-1;t=0..1000000")
	q.Wait("the finding is named", `document.querySelector(":target")?.id === "finding-1"`)
	quiet(t, q, path)
	// An RPC may be open that the filter hides.
	p = opened(t, b, path, "#rpcs")
	p.Click(".rpc-row[aria-rowindex='2'] .c-name")
	filterBy(p, "rpc.latency > 60ms")
	hash, want = p.Text(`location.hash`), state(p)
	q = opened(t, b, path, hash)
	if got := state(q); got != want || q.Text(`location.hash`) != hash {
		t.Errorf("%s, opened again as %s, shows\n%s, want\n%s", hash, q.Text(`location.hash`), got, want)
	}
	for _, strange := range []string{"#rpcs;t=5..1;sort=--x;at=-9;y=%25", "#;t=a..b;at=1e99;sort=;y=(", "#finding-1;t=1e999..2;%%%"} {
		q := opened(t, b, path, strange)
		if !q.Is(`document.querySelector("#picture .chart-tools [aria-live]").textContent.includes("drag")`) {
			t.Errorf("%s: a part of the time is shown", strange)
		}
		quiet(t, q, path)
	}
}
