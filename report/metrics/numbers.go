package metrics

import (
	"runtime"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/metrics/exposition"
)

func (c *collector) frames() {
	c.total("frames_total", "Captured frames that were analysed.", func(c *copied) float64 { return float64(c.figures.frames) })
	c.total("frame_bytes_total", "Bytes on the wire of the frames that were analysed.", func(c *copied) float64 { return float64(c.bytes) })
	c.total("malformed_frames_total", "Frames that have a malformed header, or completed a malformed message or FPDU.",
		func(c *copied) float64 { return float64(c.malformed) })
	c.total("bad_icrc_frames_total", "RoCE frames whose ICRC is wrong.", func(c *copied) float64 { return float64(c.badICRC) })
	c.total("bad_crc_fpdus_total", "FPDUs of iWARP whose CRC is wrong, if the CRC is in use.", func(c *copied) float64 { return float64(c.wire.badCRC) })
	c.total("retransmissions_total", "Retransmitted frames of connections.",
		func(c *copied) float64 { return float64(c.wire.retransmissions) })
	c.total("lost_on_wire_frames_total", "Frames of connections that were lost before they reached the capture point, and were retransmitted.",
		func(c *copied) float64 { return float64(c.wire.lostOnWire) })
	c.total("lost_in_capture_frames_total", "Frames of connections that the network delivered but the capture lacks.",
		func(c *copied) float64 { return float64(c.wire.lostInCapture) })
	c.total("naks_total", "Negative acknowledgements of RoCE, RNR NAKs not counted.", func(c *copied) float64 { return float64(c.wire.naks) })
	c.total("rnr_naks_total", "RNR NAKs of RoCE: no Receive was posted for a Send.", func(c *copied) float64 { return float64(c.wire.rnrs) })
	c.addFamily(exposition.Counter, "dropped_frames_total",
		"Frames that were not analysed, by where they were dropped: kernel is adapter and kernel before the ring, ring a full ring, shed by analysis that could not keep up.",
		[]string{"stage"}, func(c *copied, f *exposition.Family) {
			f.Add(float64(c.drops.Kernel), "kernel")
			f.Add(float64(c.drops.Ring), "ring")
			f.Add(float64(c.drops.Shed), "shed")
		})
}

func (c *collector) connections() {
	c.total("connections_total", "Connections that were seen.", func(c *copied) float64 { return float64(c.begun) })
	c.gauge("open_connections", "Connections that have not ended.", func(c *copied) float64 { return float64(c.open) })
	byRequester := func(name, help string, value func(c *credits) int64) {
		c.addFamily(exposition.Gauge, name, help, []string{"requester"}, func(now *copied, f *exposition.Family) {
			f.Add(float64(value(&now.credits[client])), "client")
			f.Add(float64(value(&now.credits[server])), "server")
		})
	}
	byRequester("credits_granted", "Sum of the latest credit grants of open connections, by the calling end: the server in the reverse direction.",
		func(c *credits) int64 { return c.granted })
	byRequester("credits_used", "Open calls, each of which uses a credit: those waiting for their replies on open connections, by the calling end. Calls whose reply the capture may lack are not counted.",
		func(c *credits) int64 { return c.used })
	c.addFamily(exposition.Gauge, "oldest_call_seconds",
		"Age of the oldest call that credits_used counts, by the calling end; 0 if there is none. It is measured from the last frame of the call to the newest captured frame, and keeps growing while no frames arrive; for an old capture it is the age that the call had then.",
		[]string{"requester"}, func(now *copied, f *exposition.Family) {
			f.Add(now.ages[client].Seconds(), "client")
			f.Add(now.ages[server].Seconds(), "server")
		})
	byRequester("connections_out_of_credits", "Open connections with as many open calls as granted credits: a further call waits in its requester, invisible to the capture.",
		func(c *credits) int64 { return c.full })
}

func (c *collector) rpcs() {
	c.addFamily(exposition.Counter, "messages_total", "RPC-over-RDMA messages, by the procedure in the transport header and direction.",
		[]string{"direction", "procedure"}, func(now *copied, f *exposition.Family) {
			for from, direction := range [...]string{client: "to_server", server: "to_client"} {
				for i, n := range now.messages[from] {
					name := other
					if i < len(procedures) {
						name = procedures[i].name
					}
					if n > 0 || i == 0 {
						f.Add(float64(n), direction, name)
					}
				}
			}
		})
	byOperation := func(name, help string, value func(o *operation) float64) {
		c.addFamily(exposition.Counter, name, help, []string{"operation"}, func(now *copied, f *exposition.Family) {
			for i := range now.operations {
				f.Add(value(&now.operations[i]), now.operations[i].name)
			}
		})
	}
	byOperation("rpcs_total", "RPCs that are over, by program and procedure, or by the main operation of a COMPOUND.", func(o *operation) float64 { return float64(o.RPCs) })
	byOperation("incomplete_rpcs_total", "RPCs with some part missing from the capture.", func(o *operation) float64 { return float64(o.Incomplete) })
	byOperation("failed_rpcs_total", "RPCs whose reply reports failure; errors_total has the reasons.", func(o *operation) float64 { return float64(o.Failed) })
	byOperation("rdma_read_bytes_total", "Bytes that RDMA Reads moved for RPCs.", func(o *operation) float64 { return float64(o.ReadBytes) })
	byOperation("rdma_write_bytes_total", "Bytes that RDMA Writes moved for RPCs.", func(o *operation) float64 { return float64(o.WriteBytes) })
	c.addFamily(exposition.Counter, "errors_total", "Replies that report failure, by the status of the program, the status of RPC, or the error of an RDMA_ERROR.",
		[]string{"status"}, func(now *copied, f *exposition.Family) {
			for _, e := range now.errors {
				f.Add(float64(e.count), e.name)
			}
		})
}

func (c *collector) found() {
	c.addFamily(exposition.Counter, "findings_total",
		"Findings of the rules, each counted once per connection however often it was found; rdmacap rules RULE explains one.",
		[]string{"rule", "severity"}, func(now *copied, f *exposition.Family) {
			for i := range now.findings {
				x := &now.findings[i]
				for _, s := range finding.Severities() {
					if n := x.counts[s]; n > 0 || s == x.expected {
						f.Add(float64(n), x.id, s.String())
					}
				}
			}
		})
}

func (c *collector) capturing() {
	c.gauge("capturing", "1 while frames are captured on every interface given; else 0.", func(now *copied) float64 { return truth(now.ready) })
	if c.metrics.opts.Interfaces != nil {
		c.addFamily(exposition.Gauge, "interface_up", "1 while frames are captured on the interface; 0 if it is down or gone.", []string{"interface"},
			func(now *copied, f *exposition.Family) {
				for _, x := range now.interfaces {
					f.Add(truth(x.up), x.name)
				}
			})
		c.gauge("analysis_lag_seconds", "Lag of the analysis: the time since the oldest frame not yet analysed was captured, or how long the last one took.",
			func(now *copied) float64 { return now.behind.Seconds() })
	}
	c.addFamily(exposition.Gauge, "build_info", "1, with what this program was built of.", []string{"goversion", "revision", "version"},
		func(_ *copied, f *exposition.Family) {
			f.Add(1, runtime.Version(), c.metrics.opts.Revision, c.metrics.opts.Version)
		})
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
