package metrics

import (
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A copied is what Metrics have at a moment.
type copied struct {
	figures
	operations []operation
	errors     []named
	findings   []found
	drops      finding.Drops
	interfaces []networkInterface
	ready      bool
	behind     time.Duration
}

// copied is what there is now.
func (m *Metrics) copied() copied {
	m.guard.Lock()
	defer m.guard.Unlock()
	return copied{
		figures: m.figures, drops: m.drops, operations: m.operations.copied(),
		errors:     append([]named(nil), m.errors.list...),
		findings:   append([]found(nil), m.findings.list...),
		interfaces: append([]networkInterface(nil), m.interfaces...),
		ready:      m.state.ready() == "", behind: m.lag.behind(m.opts.Now()),
	}
}

// A collector is the prometheus.Collector of Metrics.
type collector struct {
	metrics *Metrics
	numbers []number
	latency *prometheus.Desc
}

// A number are series with one value each.
type number struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	// values calls tell for each.
	values func(c *copied, tell teller)
}

// A teller is told of a value with its labels.
type teller func(value float64, labels ...string)

// registry is one with the figures, and those of this process.
func (m *Metrics) registry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(
		newCollector(m),
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return r
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	for _, n := range c.numbers {
		to <- n.desc
	}
	to <- c.latency
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	now := c.metrics.copied()
	for _, n := range c.numbers {
		n.values(&now, func(value float64, labels ...string) {
			to <- prometheus.MustNewConstMetric(n.desc, n.kind, value, labels...)
		})
	}
	for i := range now.operations {
		o := &now.operations[i]
		buckets, sum := make(map[float64]uint64, len(bounds)), uint64(0)
		for k, n := range o.latency.buckets {
			sum += n
			buckets[seconds(bounds[k])] = sum
		}
		to <- prometheus.MustNewConstHistogram(c.latency, o.latency.count, seconds(o.latency.sum), buckets, o.name)
	}
}

// seconds are nanoseconds in the unit of Prometheus.
func seconds(ns int64) float64 { return float64(ns) / 1e9 }

func newCollector(m *Metrics) *collector {
	c := &collector{metrics: m}
	c.latency = prometheus.NewDesc("rdmacap_rpc_latency_seconds",
		"Time from an RPC's call to its reply: from the last frame of the one to the first of the other, by program and procedure, or the operation that a COMPOUND is for.",
		[]string{"operation"}, nil)
	c.frames()
	c.connections()
	c.rpcs()
	c.found()
	c.capturing()
	return c
}

// add adds series of a name, without the prefix.
func (c *collector) add(kind prometheus.ValueType, name, help string, labels []string, values func(c *copied, tell teller)) {
	c.numbers = append(c.numbers, number{prometheus.NewDesc("rdmacap_"+name, help, labels, nil), kind, values})
}

// total adds a counter without labels, gauge what may fall.
func (c *collector) total(name, help string, value func(c *copied) float64) {
	c.add(prometheus.CounterValue, name, help, nil, func(now *copied, tell teller) { tell(value(now)) })
}

func (c *collector) gauge(name, help string, value func(c *copied) float64) {
	c.add(prometheus.GaugeValue, name, help, nil, func(now *copied, tell teller) { tell(value(now)) })
}

func (c *collector) frames() {
	c.total("frames_total", "Captured frames that were analysed.", func(c *copied) float64 { return float64(c.figures.frames) })
	c.total("frame_bytes_total", "Bytes on the wire of the frames that were analysed.", func(c *copied) float64 { return float64(c.octets) })
	c.total("malformed_frames_total", "Frames with a malformed header, or that completed a malformed message or FPDU.",
		func(c *copied) float64 { return float64(c.malformed) })
	c.total("bad_icrc_frames_total", "RoCE frames whose ICRC is wrong.", func(c *copied) float64 { return float64(c.badICRC) })
	c.total("bad_crc_fpdus_total", "FPDUs of iWARP whose CRC is wrong, where it is in use.", func(c *copied) float64 { return float64(c.wire.badCRC) })
	c.total("retransmissions_total", "Frames of connections that their sender sent again.",
		func(c *copied) float64 { return float64(c.wire.retransmissions) })
	c.total("lost_on_wire_frames_total", "Frames of connections that were lost before they reached the capture, and were sent again.",
		func(c *copied) float64 { return float64(c.wire.lostOnWire) })
	c.total("lost_in_capture_frames_total", "Frames of connections that the network delivered and the capture lacks.",
		func(c *copied) float64 { return float64(c.wire.lostInCapture) })
	c.total("naks_total", "Negative acknowledgements of RoCE, RNR NAKs not counted.", func(c *copied) float64 { return float64(c.wire.naks) })
	c.total("rnr_naks_total", "RNR NAKs of RoCE: no Receive was posted for a Send.", func(c *copied) float64 { return float64(c.wire.rnrs) })
	c.add(prometheus.CounterValue, "dropped_frames_total",
		"Frames that were not analysed, by where they were dropped: kernel is card and kernel before the ring, ring a ring without room, shed by analysis that could not keep up.",
		[]string{"stage"}, func(c *copied, tell teller) {
			tell(float64(c.drops.Kernel), "kernel")
			tell(float64(c.drops.Ring), "ring")
			tell(float64(c.drops.Shed), "shed")
		})
}

func (c *collector) connections() {
	c.total("connections_total", "Connections that were seen.", func(c *copied) float64 { return float64(c.begun) })
	c.gauge("open_connections", "Connections that have not ended.", func(c *copied) float64 { return float64(c.open) })
	byRequester := func(name, help string, value func(c *credits) int64) {
		c.add(prometheus.GaugeValue, name, help, []string{"requester"}, func(now *copied, tell teller) {
			tell(float64(value(&now.credits[client])), "client")
			tell(float64(value(&now.credits[server])), "server")
		})
	}
	byRequester("credits_granted", "Credits that open connections were granted last, together, by which end calls: the server in the reverse direction.",
		func(c *credits) int64 { return c.granted })
	byRequester("credits_used", "Calls without a reply on open connections, each of which uses a credit, by which end calls.",
		func(c *credits) int64 { return c.used })
	byRequester("connections_out_of_credits", "Open connections with as many calls open as they were granted credits: a further call waits in its requester, unseen.",
		func(c *credits) int64 { return c.full })
}

func (c *collector) rpcs() {
	c.add(prometheus.CounterValue, "messages_total", "RPC-over-RDMA messages, by the procedure in the transport header and direction.",
		[]string{"procedure", "direction"}, func(now *copied, tell teller) {
			for from, direction := range [...]string{client: "to_server", server: "to_client"} {
				for i, n := range now.messages[from] {
					name := other
					if i < len(procedures) {
						name = procedures[i].name
					}
					if n > 0 || i == 0 {
						tell(float64(n), name, direction)
					}
				}
			}
		})
	byOperation := func(name, help string, value func(o *operation) uint64) {
		c.add(prometheus.CounterValue, name, help, []string{"operation"}, func(now *copied, tell teller) {
			for i := range now.operations {
				tell(float64(value(&now.operations[i])), now.operations[i].name)
			}
		})
	}
	byOperation("rpcs_total", "RPCs that are over, by program and procedure, or the operation that a COMPOUND is for.", func(o *operation) uint64 { return o.rpcs })
	byOperation("incomplete_rpcs_total", "RPCs of which some part is not in the capture.", func(o *operation) uint64 { return o.incomplete })
	byOperation("failed_rpcs_total", "RPCs whose reply says that the call failed; errors_total says why.", func(o *operation) uint64 { return o.failed })
	byOperation("rdma_read_bytes_total", "Bytes that RDMA Reads moved for RPCs.", func(o *operation) uint64 { return o.read })
	byOperation("rdma_write_bytes_total", "Bytes that RDMA Writes moved for RPCs.", func(o *operation) uint64 { return o.written })
	c.add(prometheus.CounterValue, "errors_total", "Replies that say that a call failed, by the status of the program, of RPC, or the error of an RDMA_ERROR.",
		[]string{"status"}, func(now *copied, tell teller) {
			for _, e := range now.errors {
				tell(float64(e.count), e.name)
			}
		})
}

func (c *collector) found() {
	c.add(prometheus.CounterValue, "findings_total",
		"Findings of the rules, each once for a connection however often it was found; rdmacap rules RULE explains one.",
		[]string{"rule", "severity"}, func(now *copied, tell teller) {
			for i := range now.findings {
				f := &now.findings[i]
				for _, s := range rules.Severities() {
					if n := f.counts[s]; n > 0 || s == f.expected {
						tell(float64(n), f.id, s.String())
					}
				}
			}
		})
}

func (c *collector) capturing() {
	c.gauge("capturing", "1 while frames are captured, on every interface that was asked for; else 0.", func(now *copied) float64 { return truth(now.ready) })
	if c.metrics.opts.Interfaces != nil {
		c.add(prometheus.GaugeValue, "interface_up", "1 while an interface is captured on; 0 if it is down or gone.", []string{"interface"},
			func(now *copied, tell teller) {
				for _, x := range now.interfaces {
					tell(truth(x.up), x.name)
				}
			})
		c.gauge("analysis_lag_seconds", "How far analysis is behind: the time since the oldest frame was captured that is not analysed, or how long the last one took to be.",
			func(now *copied) float64 { return now.behind.Seconds() })
	}
	c.add(prometheus.GaugeValue, "build_info", "1, with what this program was built of.", []string{"version", "revision", "goversion"},
		func(_ *copied, tell teller) {
			tell(1, c.metrics.opts.Version, c.metrics.opts.Revision, runtime.Version())
		})
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
