package metrics

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/allocs"
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/metrics/exposition"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// watching returns Metrics, and a Live that tells them what it writes to w.
func watching(w io.Writer, o Options) (*Metrics, *check.Check) {
	list := catalogue.All()
	o.Rules = rules.Texts(list)
	m := New(o)
	return m, check.New(record.NewLive(w, listing.Options{Names: []string{"x"}, Files: 1}), check.Options{
		Rules: list, Config: rules.DefaultConfig(), Files: 1,
		Views: []check.View{m.View()},
	})
}

// A checking renderer judges what it is told.
type checking interface {
	dissect.Sink
	dissect.AccessSink
	Over(problems []error)
	Finish(s dissect.Summary, elapsed time.Duration) error
	Flush() error
}

// play runs a sample through a renderer as rdmacap does, with each frame shown to look
// before.
func play(t testing.TB, name string, out checking, look func(f *capture.Frame)) dissect.Summary {
	t.Helper()
	f, err := capture.Open(filepath.Join("..", "..", "samples", name+".pcap.zst"), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return feed(t, out, func(frame *capture.Frame) error {
		err := f.Next(frame)
		if err == nil && look != nil {
			look(frame)
		}
		return err // some samples are cut off
	})
}

// feed runs frames through a renderer, as many as there are before an error.
func feed(t testing.TB, out checking, next func(f *capture.Frame) error) dissect.Summary {
	t.Helper()
	bindings := new(dissect.Bindings)
	if err := bindings.Ask(rules.Fields(catalogue.All())...); err != nil {
		t.Fatal(err)
	}
	d := dissect.New(out, dissect.Options{Bindings: bindings, Accesses: out, Units: true})
	var frame capture.Frame
	for next(&frame) == nil {
		d.Frame(&frame)
	}
	out.Over(nil)
	d.Flush()
	if err := out.Finish(d.Summary(), 0); err != nil {
		t.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	return d.Summary()
}

// series are the values that there are, by name and labels: frames_total,
// messages_total{RDMA_MSG,to_server}. Of histograms it is the count.
func series(t testing.TB, m *Metrics) map[string]float64 {
	t.Helper()
	list := make(map[string]float64)
	for _, f := range gather(t, m) {
		for _, x := range f.Metric {
			name := strings.TrimPrefix(f.GetName(), "rdmacap_")
			var values []string
			for _, l := range x.Label {
				values = append(values, l.GetValue())
			}
			if len(values) > 0 {
				name += "{" + strings.Join(values, ",") + "}"
			}
			if _, twice := list[name]; twice {
				t.Errorf("%s is there twice", name)
			}
			list[name] = x.GetCounter().GetValue() + x.GetGauge().GetValue() + float64(x.GetHistogram().GetSampleCount())
		}
	}
	return list
}

// gather is what Prometheus's own parser reads of the text, without the figures of the
// process, in the order of names.
func gather(t testing.TB, m *Metrics) (list []*dto.MetricFamily) {
	t.Helper()
	families := newCollector(m).figures()
	exposition.Sort(families)
	parser := expfmt.NewTextParser(model.UTF8Validation)
	parsed, err := parser.TextToMetricFamilies(bytes.NewReader(exposition.Append(nil, families)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range families {
		f := parsed[families[i].Name]
		if f == nil || len(f.Metric) != len(families[i].Series) {
			t.Fatalf("%s has %d series, and is read as %v", families[i].Name, len(families[i].Series), f)
		}
		list = append(list, f)
	}
	return list
}

// records are those of a type in a stream of JSON objects.
func records[T any](t testing.TB, stream *bytes.Buffer, kind string) (list []T) {
	t.Helper()
	for line := range bytes.Lines(stream.Bytes()) {
		if !bytes.HasPrefix(line, []byte(`{"type":"`+kind+`"`)) {
			continue
		}
		var x T
		if err := json.Unmarshal(line, &x); err != nil {
			t.Fatal(err)
		}
		list = append(list, x)
	}
	return list
}

// judged has a Gatherer take the place of who judges.
type judged struct{ *stats.Gatherer }

func (*judged) Access(*dissect.Access)                      {}
func (*judged) Over([]error)                                {}
func (*judged) Finish(dissect.Summary, time.Duration) error { return nil }
func (*judged) Flush() error                                { return nil }

// reading has rows take the place of who judges.
type reading struct{ *record.JSON }

func (*reading) Access(*dissect.Access) {}
func (*reading) Over([]error)           {}

// A costly sink measures what some of what it receives costs Metrics.
type costly struct {
	*Metrics
	t                            *testing.T
	told, frames, messages, rpcs int
}

func (*costly) Access(*dissect.Access)                      {}
func (*costly) Over([]error)                                {}
func (*costly) Finish(dissect.Summary, time.Duration) error { return nil }
func (*costly) Flush() error                                { return nil }

func (c *costly) Frame(v *dissect.FrameView) {
	c.measure("a frame", &c.frames, func() { c.Metrics.Frame(v) })
}

func (c *costly) Message(m *dissect.Message) {
	c.measure("a message", &c.messages, func() { c.Metrics.Message(m) })
}

func (c *costly) RPC(r *dissect.RPC) {
	c.measure("an RPC", &c.rpcs, func() { c.Metrics.RPC(r) })
}

// measure measures every tenth.
func (c *costly) measure(what string, n *int, count func()) {
	count() // which may be the first of its kind
	if c.told++; c.told%10 != 0 {
		return
	}
	*n++
	if n := allocs.Per(3, count); n > 0 {
		c.t.Errorf("%s costs %v allocations", what, n)
	}
}
