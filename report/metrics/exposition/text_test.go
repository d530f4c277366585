package exposition

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/rdmacap/rdmacap/internal/allocs"
)

// TestText holds every part of the format to the letter.
func TestText(t *testing.T) {
	counter := Family{Name: "frames_total", Help: "Frames.", Kind: Counter}
	counter.Add(1234567)
	escaped := Family{Name: "up", Help: "A \\ and a\nnew line, \"quoted\".", Kind: Gauge, Labels: []string{"a", "b"}}
	escaped.Add(-1.5, "C:\\x", "line\nline")
	escaped.Add(0, "\"quoted\"", "")
	escaped.Add(1, "\xff\xfe.é", "{a=\"b\"} 7 # HELP")
	numbers := Family{Name: "numbers", Help: "Numbers.", Kind: Gauge, Labels: []string{"n"}}
	for _, x := range []struct {
		name  string
		value float64
	}{{"inf", math.Inf(1)}, {"less", math.Inf(-1)}, {"nan", math.NaN()}, {"small", 1e-7}, {"large", math.MaxUint64}} {
		numbers.Add(x.value, x.name)
	}
	latency := Family{Name: "latency_seconds", Help: "Time.", Kind: Histogram, Labels: []string{"op"}, Bounds: []float64{1e-05, 0.5, 30}}
	latency.Observed(60.25, 7, []float64{1, 4, 6}, "NFS4 READ")
	latency.Observed(0, 0, []float64{0, 0, 0}, "x")
	bare := Family{Name: "size_bytes", Help: "Size.", Kind: Histogram}
	bare.Observed(9, 2, nil)
	pauses := Family{Name: "pause_seconds", Help: "Pauses.", Kind: Summary, Bounds: []float64{0, 0.5, 1}}
	pauses.Observed(3, 2, []float64{1, 1.5, 2})
	empty := Family{Name: "nothing_total", Help: "Nothing.", Kind: Counter, Labels: []string{"x"}}
	got := string(Append([]byte("before\n"), []Family{counter, empty, escaped, numbers, latency, bare, pauses}))
	const want = `before
# HELP frames_total Frames.
# TYPE frames_total counter
frames_total 1.234567e+06
# HELP up A \\ and a\nnew line, "quoted".
# TYPE up gauge
up{a="C:\\x",b="line\nline"} -1.5
up{a="\"quoted\"",b=""} 0
up{a="` + "\uFFFD" + `.é",b="{a=\"b\"} 7 # HELP"} 1
# HELP numbers Numbers.
# TYPE numbers gauge
numbers{n="inf"} +Inf
numbers{n="less"} -Inf
numbers{n="nan"} NaN
numbers{n="small"} 1e-07
numbers{n="large"} 1.8446744073709552e+19
# HELP latency_seconds Time.
# TYPE latency_seconds histogram
latency_seconds_bucket{op="NFS4 READ",le="1e-05"} 1
latency_seconds_bucket{op="NFS4 READ",le="0.5"} 4
latency_seconds_bucket{op="NFS4 READ",le="30"} 6
latency_seconds_bucket{op="NFS4 READ",le="+Inf"} 7
latency_seconds_sum{op="NFS4 READ"} 60.25
latency_seconds_count{op="NFS4 READ"} 7
latency_seconds_bucket{op="x",le="1e-05"} 0
latency_seconds_bucket{op="x",le="0.5"} 0
latency_seconds_bucket{op="x",le="30"} 0
latency_seconds_bucket{op="x",le="+Inf"} 0
latency_seconds_sum{op="x"} 0
latency_seconds_count{op="x"} 0
# HELP size_bytes Size.
# TYPE size_bytes histogram
size_bytes_bucket{le="+Inf"} 2
size_bytes_sum 9
size_bytes_count 2
# HELP pause_seconds Pauses.
# TYPE pause_seconds summary
pause_seconds{quantile="0"} 1
pause_seconds{quantile="0.5"} 1.5
pause_seconds{quantile="1"} 2
pause_seconds_sum 3
pause_seconds_count 2
`
	if got != want {
		t.Errorf("the text is\n%s\nwant\n%s", got, want)
	}
}

// TestNothingToSay holds that families without series are no text at all.
func TestNothingToSay(t *testing.T) {
	if got := Append(nil, []Family{{Name: "a", Help: "A.", Kind: Gauge}, {Name: "b", Help: "B.", Kind: Histogram, Bounds: []float64{1}}}); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// TestSort holds the one order: families by name, series by the values of their labels, of
// which the first decides.
func TestSort(t *testing.T) {
	late := Family{Name: "b", Help: "B.", Kind: Gauge, Labels: []string{"x", "y"}}
	for _, labels := range [][2]string{{"2", "a"}, {"1", "b"}, {"10", ""}, {"1", "a"}, {"", "z"}} {
		late.Add(1, labels[0], labels[1])
	}
	early := Family{Name: "a", Help: "A.", Kind: Gauge}
	early.Add(2)
	list := []Family{late, early}
	Sort(list)
	const want = `# HELP a A.
# TYPE a gauge
a 2
# HELP b B.
# TYPE b gauge
b{x="",y="z"} 1
b{x="1",y="a"} 1
b{x="1",y="b"} 1
b{x="10",y=""} 1
b{x="2",y="a"} 1
`
	if got := string(Append(nil, list)); got != want {
		t.Errorf("the text is\n%s\nwant\n%s", got, want)
	}
}

// TestNothingIsAllocatedForASeries holds that writing costs no memory where there is room.
func TestNothingIsAllocatedForASeries(t *testing.T) {
	f := Family{Name: "latency_seconds", Help: "Time.", Kind: Histogram, Labels: []string{"op"}, Bounds: []float64{0.001, 1}}
	for range 1000 {
		f.Observed(1.5, 3, []float64{1, 2}, "a \"name\"")
	}
	list := []Family{f}
	b := Append(nil, list)
	if n := allocs.Per(3, func() { b = Append(b[:0], list) }); n > 0 {
		t.Errorf("%v allocations for 1,000 series", n)
	}
}

// FuzzLabel holds that Prometheus's own parser reads back what was written, whatever a
// label and a number are.
func FuzzLabel(f *testing.F) {
	f.Add("NFS4 READ", 1.0)
	f.Add("a\\\"\n{},=", math.Inf(-1))
	f.Add("\xff\x00\r\u2028", math.NaN())
	f.Add("\\n", math.Copysign(0, -1))
	f.Fuzz(func(t *testing.T, label string, value float64) {
		family := Family{Name: "x", Help: "Numbers.", Kind: Histogram, Labels: []string{"l"}, Bounds: []float64{1}}
		family.Observed(value, 9, []float64{4}, label)
		text := Append(nil, []Family{family})
		parser := expfmt.NewTextParser(model.UTF8Validation)
		parsed, err := parser.TextToMetricFamilies(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		m := parsed["x"].GetMetric()
		if len(parsed) != 1 || len(m) != 1 || len(m[0].Label) != 1 {
			t.Fatalf("%v is read of\n%s", parsed, text)
		}
		h := m[0].GetHistogram()
		if got, want := m[0].Label[0].GetValue(), strings.ToValidUTF8(label, "\uFFFD"); got != want {
			t.Errorf("the label is %q, want %q", got, want)
		}
		if got := h.GetSampleSum(); got != value && !(math.IsNaN(got) && math.IsNaN(value)) {
			t.Errorf("the sum is %v, want %v", got, value)
		}
		if b := h.GetBucket(); h.GetSampleCount() != 9 || len(b) != 2 || b[0].GetCumulativeCount() != 4 || b[1].GetCumulativeCount() != 9 {
			t.Errorf("the histogram is %v", h)
		}
	})
}
