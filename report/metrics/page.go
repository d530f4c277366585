package metrics

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the page and its style
	"encoding/base64"
	"html/template"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

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

// shown is what the page shows.
type shown struct {
	Version, State string
	Ready          bool
	Style          template.CSS
	Latencies      []latencies
	Groups         []group
}

// latencies are a histogram by a label.
type latencies struct {
	Name, Help, Label string
	Rows              []latency
}

type latency struct{ Name, Count, Mean, Half, Most string }

// A group are metrics of one subject.
type group struct {
	Title    string
	Families []family
}

type family struct {
	Name, Help string
	Rows       []row
	Zeros      int // rows that are left out
}

type row struct{ Labels, Value string }

// manyRows is from how many on those that are 0 are left out.
const manyRows = 20

func (p page) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	families, err := p.registry.Gather()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	why := p.metrics.Ready()
	s := shown{Version: p.metrics.opts.Version, State: why, Ready: why == "", Style: template.CSS(pageStyle)}
	if s.Ready {
		s.State = "capturing"
	}
	s.Groups = []group{{Title: "Figures"}, {Title: "This process"}}
	for _, f := range families {
		switch name, ours := strings.CutPrefix(f.GetName(), "rdmacap_"); {
		case f.GetType() == dto.MetricType_HISTOGRAM:
			s.Latencies = append(s.Latencies, latenciesOf(f))
		case f.GetType() == dto.MetricType_SUMMARY: // the collector's pauses
		case ours:
			s.Groups[0].Families = append(s.Groups[0].Families, familyOf(f, name))
		default:
			s.Groups[1].Families = append(s.Groups[1].Families, familyOf(f, f.GetName()))
		}
	}
	var b bytes.Buffer
	if err := p.made.Execute(&b, &s); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(b.Bytes()) // whoever asked has left
}

func familyOf(f *dto.MetricFamily, name string) family {
	x := family{Name: name, Help: f.GetHelp()}
	for _, m := range f.Metric {
		value := m.GetCounter().GetValue() + m.GetGauge().GetValue() // it has one of them
		if value == 0 && len(f.Metric) >= manyRows {
			x.Zeros++
			continue
		}
		x.Rows = append(x.Rows, row{labels(m), amount(name, value)})
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

// amount is a value in the unit that the name ends with.
func amount(name string, value float64) string {
	if strings.HasSuffix(name, "_seconds") && !strings.Contains(name, "timestamp") && !strings.Contains(name, "start_time") {
		return duration(value)
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

// duration is for people.
func duration(s float64) string {
	switch d := time.Duration(s * float64(time.Second)); {
	case math.IsNaN(s):
		return "–"
	case math.IsInf(s, 1):
		return "more"
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	default:
		return d.String()
	}
}

func latenciesOf(f *dto.MetricFamily) latencies {
	x := latencies{Name: strings.TrimPrefix(f.GetName(), "rdmacap_"), Help: f.GetHelp()}
	for _, m := range f.Metric {
		for _, l := range m.Label {
			x.Label = l.GetName()
		}
		h := m.GetHistogram()
		x.Rows = append(x.Rows, latency{
			Name: labels(m), Count: strconv.FormatUint(h.GetSampleCount(), 10),
			Mean: duration(h.GetSampleSum() / float64(h.GetSampleCount())),
			Half: duration(within(h, 0.5)), Most: duration(within(h, 0.99)),
		})
	}
	return x
}

// within is the bound that a share of what a histogram counts is not above, in its
// unit; not a number if it has none.
func within(h *dto.Histogram, share float64) float64 {
	if h.GetSampleCount() == 0 {
		return math.NaN()
	}
	for _, b := range h.Bucket {
		if float64(b.GetCumulativeCount()) >= share*float64(h.GetSampleCount()) {
			return b.GetUpperBound()
		}
	}
	return math.Inf(1)
}
