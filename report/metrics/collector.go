package metrics

import (
	"github.com/rdmacap/rdmacap/dissect/latency"
	"github.com/rdmacap/rdmacap/report/metrics/exposition"
	"github.com/rdmacap/rdmacap/report/metrics/process"
)

// A collector knows what metrics there are of Metrics.
type collector struct {
	metrics *Metrics
	numbers []number
}

// A number is a metric whose series have one value each.
type number struct {
	name, help string
	kind       exposition.Kind
	labels     []string // sorted
	// values adds a series for each.
	values func(c *copied, f *exposition.Family)
}

func newCollector(m *Metrics) *collector {
	c := &collector{metrics: m}
	c.frames()
	c.connections()
	c.rpcs()
	c.found()
	c.capturing()
	return c
}

// everything is what there is now, with what is known of this process, sorted.
func (c *collector) everything() []exposition.Family {
	list := process.Append(c.figures())
	exposition.Sort(list)
	return list
}

// figures are those of Metrics as they are now, in no order. The lock is held while they
// are copied, no longer.
func (c *collector) figures() []exposition.Family {
	now := c.metrics.copied()
	list := make([]exposition.Family, 0, len(c.numbers)+1)
	for _, n := range c.numbers {
		f := exposition.Family{Name: n.name, Help: n.help, Kind: n.kind, Labels: n.labels}
		if n.values(&now, &f); len(f.Series) > 0 {
			list = append(list, f)
		}
	}
	if len(now.operations) > 0 {
		list = append(list, latencies(now.operations))
	}
	return list
}

// latencies are those of operations.
func latencies(operations []operation) exposition.Family {
	f := exposition.Family{
		Name: prefix + "rpc_latency_seconds",
		Help: "Time from the last frame of a call to the first frame of its reply, by program and procedure, or by the main operation of a COMPOUND.",
		Kind: exposition.Histogram, Labels: []string{"operation"},
	}
	for _, b := range latency.Bounds() {
		f.Bounds = append(f.Bounds, seconds(b))
	}
	points := make([]float64, len(f.Bounds)) // of one operation
	for i := range operations {
		o := &operations[i]
		for k, n := range o.latency.Within() {
			points[k] = float64(n)
		}
		f.Observed(seconds(o.latency.Sum), uint64(o.latency.Count), points, o.name)
	}
	return f
}

// seconds are nanoseconds in the unit of Prometheus.
func seconds(ns int64) float64 { return float64(ns) / 1e9 }

// prefix is what the names of all metrics about captures begin with.
const prefix = "rdmacap_"

// addFamily adds a metric of a name, without the prefix.
func (c *collector) addFamily(kind exposition.Kind, name, help string, labels []string, values func(c *copied, f *exposition.Family)) {
	c.numbers = append(c.numbers, number{prefix + name, help, kind, labels, values})
}

// total adds a counter without labels, gauge what may fall.
func (c *collector) total(name, help string, value func(c *copied) float64) {
	c.addFamily(exposition.Counter, name, help, nil, func(now *copied, f *exposition.Family) { f.Add(value(now)) })
}

func (c *collector) gauge(name, help string, value func(c *copied) float64) {
	c.addFamily(exposition.Gauge, name, help, nil, func(now *copied, f *exposition.Family) { f.Add(value(now)) })
}
