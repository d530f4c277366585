package metrics

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/report/finding"
)

var update = flag.Bool("update", false, "write the goldens of what is printed now")

// ofProcess are lines about this process and the Go runtime, which differ from run to run.
var ofProcess = regexp.MustCompile(`(?m)^(# (HELP|TYPE) )?(go|process|promhttp)_.*\n`)

// TestExposition holds the text that Prometheus gets of a capture.
func TestExposition(t *testing.T) {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	m, live := watching(io.Discard, Options{Version: "v1.2.3", Revision: "0123456789ab", Interfaces: []string{"mirror0", "mirror1"}, Now: func() time.Time { return noon }})
	m.Began()
	m.Interface("mirror1", "the interface is down")
	play(t, "rxe-cb", live, func(f *capture.Frame) { f.Time = noon.UnixNano() - 25e6 - int64(600-f.Number)*1e6 })
	live.Dropped(finding.Drops{Kernel: 1, Ring: 22, Shed: 333}, 0)
	got := ask(t, m.Handler(), "GET", "/metrics")
	if got.status != 200 || !strings.HasPrefix(got.header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Fatalf("%+v", got)
	}
	text := ofProcess.ReplaceAllString(got.body, "")
	text = regexp.MustCompile(`goversion="[^"]*"`).ReplaceAllString(text, `goversion="go"`)
	// The catalogue of rules grows, and has goldens of its own.
	text = regexp.MustCompile(`(?m)^rdmacap_findings_total.* 0\n`).ReplaceAllString(text, "")
	golden := filepath.Join("testdata", "rxe-cb.prom")
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || text != string(want) {
		t.Errorf("%v; the text is not that of %s (-update writes it):\n%s", err, golden, text)
	}
}

// TestLint has Prometheus's own linter read the names and help texts.
func TestLint(t *testing.T) {
	m, live := watching(io.Discard, Options{Interfaces: []string{"mirror0"}})
	play(t, "rxe-cb", live, nil)
	problems, err := promlint.NewWithMetricFamilies(gather(t, m)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
	for _, f := range gather(t, m) {
		if h := f.GetHelp(); !strings.HasPrefix(f.GetName(), "rdmacap_") || len(h) < 20 || !strings.HasSuffix(h, ".") {
			t.Errorf("%s: %q", f.GetName(), h)
		}
	}
}

// maxSeries is how many series there are at the most, whatever is on the wire.
const maxSeries = 4000

// TestSeriesAreBounded has more come of everything than there is room for.
func TestSeriesAreBounded(t *testing.T) {
	m, live := watching(io.Discard, Options{Interfaces: []string{"mirror0"}})
	play(t, "rxe-cb", live, nil)
	const many = 5000
	for i := range uint32(many) {
		for _, name := range []string{
			string(rpc.AppendLabel(nil, 400000+i, 1, 2)), string(rpc.AppendLabel(nil, rpc.ProgramNFS, 3, 100+i)), fmt.Sprintf("NFS4 %d", 1000+i),
			"MINE1 PROC" + strconv.Itoa(int(i)),
		} {
			o := m.operations.named([]byte(name))
			o.RPCs++
			o.latency.Add(int64(i) * 1e6)
		}
		m.errors.addName(strconv.Itoa(20000 + int(i)))
		m.errors.addName("MINE_" + strconv.Itoa(int(i)))
		unknown := &finding.Rule{ID: fmt.Sprintf("X-%03d", i)}
		m.NewFinding(&finding.Finding{Rule: unknown, Severity: finding.Severity(1 + i%3)})
	}
	text := ofProcess.ReplaceAllString(ask(t, m.Handler(), "GET", "/metrics").body, "")
	n := len(regexp.MustCompile(`(?m)^rdmacap_`).FindAllString(text, -1))
	t.Logf("%d series, %d bytes", n, len(text))
	if n > maxSeries {
		t.Errorf("%d series, more than %d", n, maxSeries)
	}
	got := series(t, m)
	if all := total(got, "rpcs_total{") - total(got, "rpcs_total{NFS"); got["rpcs_total{other}"] < 4*many-2*maxOperations || all < many {
		t.Errorf("other RPCs: %v, of programs without a name %v", got["rpcs_total{other}"], all)
	}
	if v := got["errors_total{other}"]; v < 2*many-2*maxNames {
		t.Errorf("other errors: %v", v)
	}
	if v := total(got, "findings_total{other"); v != many {
		t.Errorf("other findings: %v", v)
	}
	numbers := 0
	for _, o := range m.operations.list {
		if numbered([]byte(o.name)) {
			numbers++
		}
	}
	if numbers != maxNumbered {
		t.Errorf("%d operations are called by a number", numbers)
	}
}

// TestNothingIsAllocated holds that counting costs no memory for a frame, a message or an
// RPC.
func TestNothingIsAllocated(t *testing.T) {
	for _, name := range []string{"rxe-cb", "siw-cb"} {
		m := New(Options{Interfaces: []string{"mirror0"}})
		counted := &costly{Metrics: m, t: t}
		play(t, name, counted, nil)
		if counted.frames < 20 || counted.messages < 5 || counted.rpcs < 5 {
			t.Errorf("%s: too little was measured: %d frames, %d messages, %d RPCs", name, counted.frames, counted.messages, counted.rpcs)
		}
	}
}
