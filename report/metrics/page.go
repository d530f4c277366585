package metrics

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // for the page and its style
	"encoding/base64"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
)

// pagePolicy has the page load and run nothing, and have no other style than its own.
func pagePolicy() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// A page answers with what a registry has, for people.
type page struct {
	metrics  *Metrics
	registry *prometheus.Registry
	made     *template.Template
}

func (p page) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	families, err := p.registry.Gather()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	s := shown{Version: p.metrics.opts.Version, State: p.metrics.Ready(), Style: template.CSS(pageStyle)}
	if s.Ready = s.State == ""; s.Ready {
		s.State = "capturing"
	}
	for _, f := range families {
		s.take(f)
	}
	for _, list := range [][]family{s.Figures, s.Process} {
		slices.SortStableFunc(list, func(a, b family) int { return cmp.Compare(min(len(a.Rows), 1), min(len(b.Rows), 1)) })
	}
	var b bytes.Buffer
	if err := p.made.Execute(&b, &s); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(b.Bytes()) // whoever asked has left
}

// shown is what the page shows.
type shown struct {
	Version, State   string
	Ready            bool
	Style            template.CSS
	Figures, Process []family
	// Operations have a value for each of the Columns.
	Columns    []string
	Operations []values
}

// A family is a metric: with its value, or with rows by labels.
type family struct {
	Name, Help, Value string
	Rows              []row
	Zeros             int // rows that are left out
}

type row struct{ Labels, Value string }

// values are those of a row.
type values struct {
	Name   string
	Values []string
}

// manyRows is from how many on those that are 0 are left out.
const manyRows = 20

// take takes a metric.
func (s *shown) take(f *dto.MetricFamily) {
	switch {
	case f.GetType() == dto.MetricType_SUMMARY: // of the garbage collector
	case f.GetName() == "rdmacap_build_info": // the heading has the version
	case f.GetType() == dto.MetricType_HISTOGRAM:
		s.latencies(f)
	case !strings.HasPrefix(f.GetName(), "rdmacap_"):
		s.Process = append(s.Process, familyOf(f))
	case f.Metric[0].Label != nil && f.Metric[0].Label[0].GetName() == "operation":
		s.column(strings.TrimSuffix(strings.TrimPrefix(f.GetName(), "rdmacap_"), "_total"), f, func(m *dto.Metric) string { return amount(f, m) })
	default:
		s.Figures = append(s.Figures, familyOf(f))
	}
}

// column puts a value of each operation behind those that it has.
func (s *shown) column(title string, f *dto.MetricFamily, value func(m *dto.Metric) string) {
	for i, m := range f.Metric { // of all metrics in the same order
		if i == len(s.Operations) {
			s.Operations = append(s.Operations, values{Name: labels(m)})
		}
		s.Operations[i].Values = append(s.Operations[i].Values, value(m))
	}
	s.Columns = append(s.Columns, strings.ReplaceAll(title, "_", " "))
}

func (s *shown) latencies(f *dto.MetricFamily) {
	s.column("mean latency", f, func(m *dto.Metric) string {
		return duration(m.Histogram.GetSampleSum() / float64(m.Histogram.GetSampleCount()))
	})
	s.column("half within", f, func(m *dto.Metric) string { return duration(within(m.Histogram, 0.5)) })
	s.column("99 % within", f, func(m *dto.Metric) string { return duration(within(m.Histogram, 0.99)) })
}

func familyOf(f *dto.MetricFamily) family {
	x := family{Name: f.GetName(), Help: f.GetHelp()}
	for _, m := range f.Metric {
		value := amount(f, m)
		switch {
		case len(m.Label) == 0:
			x.Value = value
		case value == "0" && len(f.Metric) >= manyRows:
			x.Zeros++
		default:
			x.Rows = append(x.Rows, row{labels(m), value})
		}
	}
	return x
}

// labels are the values of a metric's labels.
func labels(m *dto.Metric) string {
	list := make([]string, len(m.Label))
	for i, l := range m.Label {
		list[i] = l.GetValue()
	}
	return strings.Join(list, ", ")
}
