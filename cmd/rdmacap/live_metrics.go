package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/report"
	"github.com/rdmacap/rdmacap/report/metrics"
	"github.com/rdmacap/rdmacap/report/rules"
)

// metricsOptions are the flags of rdmacap live about monitoring.
type metricsOptions struct{ metrics string }

func (o *metricsOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.metrics, "metrics", "", "answer Prometheus, and browsers, on `ADDR`: :9400 is port 9400 of 127.0.0.1; another address must be written out, as 0.0.0.0:9400 (docs/monitoring.md)")
}

// A monitor counts for monitoring, and answers who asks; a nil one does nothing.
type monitor struct {
	*metrics.Metrics
	server *metrics.Server
}

// monitor makes the one that the flags ask for, nil for none.
func (o *metricsOptions) monitor(c *cobra.Command, s streams, all *liveOptions, list []*rules.Rule, selected rules.Selection) (*monitor, error) {
	if o.metrics == "" {
		return nil, nil
	}
	address, err := metrics.Address(o.metrics)
	if err != nil {
		return nil, misuse(c, fmt.Errorf("--metrics: %w", err))
	}
	m := metrics.New(metrics.Options{Version: version(), Revision: revision(), Rules: list, Selection: selected, Interfaces: all.interfaces})
	server, err := m.Serve(address)
	if err != nil {
		return nil, fmt.Errorf("--metrics: %w", err)
	}
	if !all.quiet {
		complain(s, "metrics are on http://%s/", server.Address)
	}
	return &monitor{m, server}, nil
}

func (m *monitor) close() {
	if m != nil {
		m.server.Close()
	}
}

// views adds the counts to those who are told what is written.
func (m *monitor) views(list []report.LiveView) []report.LiveView {
	if m == nil {
		return list
	}
	return append(list, m.Metrics)
}

// begin says that capturing has begun, and returns the source with what is read told.
func (m *monitor) begin(source capture.Source) capture.Source {
	if m == nil {
		return source
	}
	m.Began()
	if s, ok := source.(metrics.Source); ok {
		return m.Watch(s)
	}
	return source
}

// end says that no more frames come.
func (m *monitor) end() {
	if m != nil {
		m.Ended()
	}
}

// interfaceState is who is told of interfaces, nil for nobody.
func (m *monitor) interfaceState() func(name, why string) {
	if m == nil {
		return nil
	}
	return m.Interface
}
