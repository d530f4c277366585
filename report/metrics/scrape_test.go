package metrics

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// scraped asks for figures with header fields, given as NAME, VALUE, …
func scraped(t *testing.T, m *Metrics, path string, header ...string) answer {
	t.Helper()
	r := httptest.NewRequest("GET", path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, r)
	if got, want := w.Header().Get("Content-Length"), strconv.Itoa(w.Body.Len()); w.Code != 200 || got != want {
		t.Errorf("%s: status %d, length %s of %s", path, w.Code, got, want)
	}
	return answer{w.Code, w.Header(), w.Body.String()}
}

// TestFormat holds that there is one format, whatever else a Prometheus would rather have.
func TestFormat(t *testing.T) {
	for _, accept := range []string{
		"", "*/*", "text/html", "application/json",
		"application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
		"application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.6,text/plain;version=0.0.4;q=0.3",
		"text/plain;version=1.0.0;escaping=allow-utf-8;q=0.6,*/*;q=0.1",
	} {
		got := scraped(t, New(Options{}), "/metrics", "Accept", accept)
		if got.header.Get("Content-Type") != "text/plain; version=0.0.4; charset=utf-8" || !strings.HasPrefix(got.body, "# HELP go_gc_duration_seconds ") {
			t.Errorf("%s: %v, %.40q", accept, got.header, got.body)
		}
	}
}

// TestGzip holds that who takes gzip gets the same text in it, and nobody else does.
func TestGzip(t *testing.T) {
	m, live := watching(io.Discard, Options{})
	play(t, "rxe-cb", live, nil)
	plain := ofProcess.ReplaceAllString(scraped(t, m, "/metrics").body, "")
	if len(plain) < 10000 {
		t.Fatalf("%d bytes", len(plain))
	}
	for _, c := range []struct {
		accepts []string
		packed  bool
	}{
		{nil, false},
		{[]string{""}, false},
		{[]string{"gzip"}, true},
		{[]string{"deflate, GZIP;q=0.5, br"}, true},
		{[]string{"br", "gzip ; q=1"}, true},
		{[]string{"gzip;q=0"}, false},
		{[]string{"gzip;q=0.000, identity"}, false},
		{[]string{"gzip;q=much"}, false},
		{[]string{"identity, deflate, zstd, x-gzip"}, false},
	} {
		var header []string
		for _, a := range c.accepts {
			header = append(header, "Accept-Encoding", a)
		}
		got := scraped(t, m, "/metrics", header...)
		text := got.body
		if coding := got.header.Get("Content-Encoding"); (coding == "gzip") != c.packed || got.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: %v", c.accepts, got.header)
			continue
		}
		if c.packed {
			z, err := gzip.NewReader(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(z)
			if err != nil || len(text) > len(b)/2 {
				t.Errorf("%q: %v, %d bytes for %d", c.accepts, err, len(text), len(b))
			}
			text = string(b)
		}
		if ofProcess.ReplaceAllString(text, "") != plain {
			t.Errorf("%q: the text is another one: %.200q", c.accepts, text)
		}
	}
}

// TestSomeFamilies holds that name[] selects families, as the params of a scrape may.
func TestSomeFamilies(t *testing.T) {
	m := New(Options{})
	got := scraped(t, m, "/metrics?name[]=rdmacap_naks_total&name[]=rdmacap_frames_total&name[]=nothing")
	const want = `# HELP rdmacap_frames_total Captured frames that were analysed.
# TYPE rdmacap_frames_total counter
rdmacap_frames_total 0
# HELP rdmacap_naks_total Negative acknowledgements of RoCE, RNR NAKs not counted.
# TYPE rdmacap_naks_total counter
rdmacap_naks_total 0
`
	if got.body != want {
		t.Errorf("the text is\n%s\nwant\n%s", got.body, want)
	}
	if got := scraped(t, m, "/metrics?name[]=nothing"); got.body != "" {
		t.Errorf("of nothing there is %.80q", got.body)
	}
}

// TestHostileNames holds that the answer is read whatever an interface, an operation or a
// status is called, and that no name makes series of its own.
func TestHostileNames(t *testing.T) {
	const hostile = "\xff\"} 7\nrdmacap_frames_total 9 \\"
	m := New(Options{Interfaces: []string{hostile}, Version: hostile, Revision: hostile})
	m.operations.named([]byte(hostile)).RPCs = 7
	m.errors.addName(hostile)
	got := scraped(t, m, "/metrics")
	parser := expfmt.NewTextParser(model.UTF8Validation)
	parsed, err := parser.TextToMetricFamilies(bytes.NewReader([]byte(got.body)))
	if err != nil {
		t.Fatal(err)
	}
	if f := parsed["rdmacap_frames_total"].GetMetric(); len(f) != 1 || f[0].GetCounter().GetValue() != 0 {
		t.Errorf("frames: %v", f)
	}
	for _, name := range []string{"rdmacap_interface_up", "rdmacap_rpcs_total", "rdmacap_errors_total", "rdmacap_rpc_latency_seconds"} {
		f := parsed[name].GetMetric()
		if len(f) != 1 || f[0].Label[0].GetValue() != strings.Replace(hostile, "\xff", "\uFFFD", 1) {
			t.Errorf("%s: %v", name, f)
		}
	}
}
