package inbrowser

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/blocks"
	"github.com/rdmacap/rdmacap/internal/browser"
)

// series is what went over a connection, as the page has it.
type series struct {
	Connection  int
	From, Width int64
	Columns     map[string][]*float64 // nil where nobody knows
}

func seriesOf(t *testing.T, p *blocks.Page, connection int) (s series) {
	t.Helper()
	for _, b := range p.Of("series") {
		if b.First == connection {
			if err := b.Decode(&s); err != nil {
				t.Fatal(err)
			}
			return s
		}
	}
	t.Fatalf("there is no series of connection %d", connection)
	return s
}

// chart is a selector of a chart of connection 1, by its title.
func chart(p *browser.Page, title string) string {
	id := "chart-" + strings.ToLower(strings.Fields(title)[0])
	p.Eval(nil, `[...document.querySelectorAll("#connection-1 figure.chart")].find((e) =>
		e.querySelector("b").textContent === `+browser.JS(title)+`).id = `+browser.JS(id))
	return "#" + id
}

// chartsIn is the report of a sample in a browser, with the charts of connection 1.
func chartsIn(t *testing.T, b *browser.Browser, name string) (*browser.Page, series) {
	t.Helper()
	path := reportIn(t, sample(name))
	p := opened(t, b, path, "#connection-1")
	p.Eval(nil, `document.querySelector("#connection-1 .charts").scrollIntoView()`)
	p.Wait("the charts are drawn", `document.querySelector("#connection-1 .charts canvas")`)
	return p, seriesOf(t, blocks.Read(t, path), 1)
}

// browserZoom holds that dragging over a chart zooms into all charts of the
// connection, and that the way back is there, for mouse and keys.
func browserZoom(t *testing.T, b *browser.Browser) {
	p, s := chartsIn(t, b, "rxe-basic")
	whole := float64(s.Width) / 1e9 * float64(len(s.Columns["calls"]))
	from := float64(s.From) / 1e9
	shown := func() (a, b float64) {
		t.Helper()
		text := p.Text(`document.querySelector("#connection-1 .chart-tools [aria-live]").textContent`)
		if n, err := fmt.Sscanf(text, "%f s to %f s", &a, &b); n != 2 {
			t.Fatalf("the time shown is %q: %v", text, err)
		}
		return a, b
	}
	expect := func(when string, first, last float64) {
		t.Helper()
		if a, b := shown(); math.Abs(a-from-first*whole) > whole/50 || math.Abs(b-from-last*whole) > whole/50 {
			t.Errorf("%s: %.3f s to %.3f s are shown, want %.3f s to %.3f s", when, a, b, from+first*whole, from+last*whole)
		}
	}
	pictures := func() (list []string) {
		p.Eval(&list, `[...document.querySelectorAll("#connection-1 canvas")].map((c) => c.toDataURL())`)
		return list
	}

	expect("at first", 0, 1)
	before := pictures()
	over := chart(p, "Throughput") + " .u-over"
	x, y := p.Middle(over)
	width := p.Number(`document.querySelector('` + over + `').clientWidth`)
	p.Drag(x-width/4, y, x, y)
	expect("after dragging over the second quarter", 0.25, 0.5)
	p.Wait("the charts are drawn anew", `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	for i, picture := range pictures() {
		if picture == before[i] {
			t.Errorf("chart %d is the same after zooming", i)
		}
	}
	p.Click("#connection-1 .chart-tools [aria-label='Whole time']")
	expect("after the button for the whole time", 0, 1)

	p.Eval(nil, `document.querySelector("`+chart(p, "Throughput")+` .plot").focus()`)
	p.Press("+")
	expect("after plus", 0.25, 0.75)
	p.Click("#connection-1 .chart-tools [aria-label=Later]")
	expect("later", 0.5, 1)
	p.Eval(nil, `document.querySelector("`+chart(p, "Throughput")+` .plot").focus()`)
	p.Press("0")
	expect("after 0", 0, 1)
}

// browserChartNumbers holds that a chart's table, and the values at its cursor, are
// the numbers of the data.
func browserChartNumbers(t *testing.T, b *browser.Browser) {
	p, s := chartsIn(t, b, "rxe-basic")
	perSecond := func(v *float64) string { return short(*v * 1e9 / float64(s.Width)) }
	throughput := chart(p, "Throughput")
	rows := tableIn(t, p, throughput)
	heads := []string{"From [s]", "Sends to server [bytes/s]", "Sends to client [bytes/s]", "RDMA Read [bytes/s]", "RDMA Write [bytes/s]"}
	if strings.Join(rows[0], "|") != strings.Join(heads, "|") {
		t.Fatalf("the table has %q, want %q", rows[0], heads)
	}
	if len(rows)-1 != len(s.Columns["calls"]) {
		t.Fatalf("the table has %d rows, the data %d bins", len(rows)-1, len(s.Columns["calls"]))
	}
	most := 1 // the row with most RDMA Writes
	for i, row := range rows[1:] {
		want := []string{fmt.Sprintf("%.6f", float64(s.From+int64(i)*s.Width)/1e9)}
		for _, name := range []string{"send_in", "send_out", "read", "write"} {
			want = append(want, perSecond(s.Columns[name][i]))
		}
		if strings.Join(row, "|") != strings.Join(want, "|") {
			t.Errorf("row %d is %q, want %q", i, row, want)
		}
		if *s.Columns["write"][i] > *s.Columns["write"][most-1] {
			most = i + 1
		}
	}

	// All calls that the connection had are in the bins, and in the latencies.
	calls := 0.0
	for _, v := range s.Columns["calls"] {
		calls += *v
	}
	want := regexp.MustCompile(`"type":"rpc","connection":1,`)
	rpcs := len(want.FindAllString(must(t, "read", "-q", "--format", "ndjson", sample("rxe-basic")), -1))
	count := 0
	for _, row := range tableIn(t, p, chart(p, "Latency of each RPC"))[1:] {
		n, _ := strconv.Atoi(row[1])
		count += n
	}
	if int(calls) != rpcs || count != rpcs {
		t.Errorf("the series has %v calls, the latencies %d RPCs; read tells of %d", calls, count, rpcs)
	}

	// The cursor at the bin with most, by mouse and by keys.
	at := func() string {
		return p.Text(`[...document.querySelectorAll('` + throughput + ` .at-cursor')].map((e) => e.textContent).join("|")`)
	}
	over := throughput + " .u-over"
	x, y := p.Middle(over)
	width := p.Number(`document.querySelector('` + over + `').clientWidth`)
	bins := float64(len(rows) - 1)
	p.Move(x-width/2+width*(float64(most)-0.9)/bins, y)
	byMouse := at()
	if got := p.Text(`document.querySelector('` + throughput + ` .plot').getAttribute("aria-valuetext")`); !strings.HasPrefix(got, strings.TrimRight(rows[most][0][:len(rows[most][0])-3], "0")) {
		t.Errorf("a screen reader is told %q at %s s", got, rows[most][0])
	}
	p.Eval(nil, `document.querySelector('`+throughput+` .plot').focus()`)
	p.Press("ArrowRight")
	byKey := at()
	p.Press("ArrowLeft")
	if at() != byMouse || byKey == byMouse || strings.Contains(byMouse, "||") {
		t.Errorf("the mouse shows %q, the right arrow then %q, and the left arrow %q", byMouse, byKey, at())
	}
	if got, want := leading(strings.Split(byMouse, "|")[3]), leading(rows[most][4]); got != want {
		t.Errorf("RDMA Write at the cursor is %s, in the table %s", byMouse, rows[most][4])
	}
}

// tableIn opens the table of a chart and is its cells, the heads first.
func tableIn(t *testing.T, p *browser.Page, chart string) (rows [][]string) {
	t.Helper()
	p.Click(chart + " .as-table summary")
	p.Wait("the table is there", `document.querySelector('`+chart+` .as-table tbody tr')`)
	p.Eval(&rows, `[...document.querySelectorAll('`+chart+` .as-table tr')].map((tr) => [...tr.children].map((e) => e.textContent))`)
	return rows
}

// short is a number with three digits after the point at most.
func short(v float64) string {
	return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64)
}

// leading are the first two digits of a number: at the cursor it is rounded.
func leading(s string) string {
	return strings.NewReplacer(".", "", " ", "").Replace(s)[:2]
}
