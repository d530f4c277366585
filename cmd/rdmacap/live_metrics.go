package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rdmacap/rdmacap/report/metrics"
	"github.com/rdmacap/rdmacap/report/rules"
)

func (o *metricsOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.metrics, "metrics", "", "answer Prometheus, and browsers, on `ADDR`: :9400 is port 9400 of 127.0.0.1; another address must be written out, as 0.0.0.0:9400 (docs/monitoring.md)")
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
