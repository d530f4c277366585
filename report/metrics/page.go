package metrics

import (
	"cmp"
	"crypto/sha256"
	_ "embed" // for the style of the page
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/report/metrics/exposition"
)

//go:embed page.css
var pageStyle string

// pagePolicy has the page load and run nothing, and have no other style than its own.
func pagePolicy() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// A page answers with what a collector has, for people.
type page struct{ all *collector }

func (p page) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	m := p.all.metrics
	s := shown{Version: m.opts.Version, State: m.Ready()}
	if s.Ready = s.State == ""; s.Ready {
		s.State = "capturing"
	}
	families := p.all.everything()
	for i := range families {
		s.takeFamily(&families[i])
	}
	for _, list := range [][]family{s.Figures, s.Process} {
		slices.SortStableFunc(list, func(a, b family) int { return cmp.Compare(min(len(a.Rows), 1), min(len(b.Rows), 1)) })
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(s.page()) // whoever asked has left
}

// shown is what the page shows.
type shown struct {
	Version, State   string
	Ready            bool
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

// takeFamily takes a metric.
func (s *shown) takeFamily(f *exposition.Family) {
	switch {
	case f.Kind == exposition.Summary: // of the garbage collector
	case f.Name == prefix+"build_info": // the heading has the version
	case f.Kind == exposition.Histogram:
		s.latencies(f)
	case !strings.HasPrefix(f.Name, prefix):
		s.Process = append(s.Process, familyOf(f))
	case len(f.Labels) > 0 && f.Labels[0] == "operation":
		s.column(strings.TrimSuffix(strings.TrimPrefix(f.Name, prefix), "_total"), f, func(x *exposition.Series) string { return amount(f.Name, x.Value) })
	default:
		s.Figures = append(s.Figures, familyOf(f))
	}
}

// column puts a value of each operation after those that it has.
func (s *shown) column(title string, f *exposition.Family, value func(x *exposition.Series) string) {
	for i := range f.Series { // of all metrics in the same order
		x := &f.Series[i]
		if i == len(s.Operations) {
			s.Operations = append(s.Operations, values{Name: labels(x)})
		}
		s.Operations[i].Values = append(s.Operations[i].Values, value(x))
	}
	s.Columns = append(s.Columns, strings.ReplaceAll(title, "_", " "))
}

func (s *shown) latencies(f *exposition.Family) {
	s.column("mean latency", f, func(x *exposition.Series) string { return duration(x.Value / float64(x.Count)) })
	s.column("half within", f, func(x *exposition.Series) string { return duration(within(f.Bounds, x, 0.5)) })
	s.column("99 % within", f, func(x *exposition.Series) string { return duration(within(f.Bounds, x, 0.99)) })
}

func familyOf(f *exposition.Family) family {
	shown := family{Name: f.Name, Help: f.Help}
	for i := range f.Series {
		x := &f.Series[i]
		value := amount(f.Name, x.Value)
		switch {
		case len(x.Labels) == 0:
			shown.Value = value
		case value == "0" && len(f.Series) >= manyRows:
			shown.Zeros++
		default:
			shown.Rows = append(shown.Rows, row{labels(x), value})
		}
	}
	return shown
}

// labels are the values of the labels of a series.
func labels(x *exposition.Series) string { return strings.Join(x.Labels, ", ") }
