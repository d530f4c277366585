package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/metrics"
	"github.com/rdmacap/rdmacap/report/rules"
)

func (o *metricsOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.metrics, "metrics", "", "serve metrics to Prometheus on `ADDR`; :9400 is 127.0.0.1:9400 (docs/monitoring.md)")
}

// answered are the address and the figures that the flags ask for, "" for none.
func (o *metricsOptions) answered(all *liveOptions, list []*rules.Rule, selected finding.Selection) (address string, m metrics.Options, err error) {
	if o.metrics == "" {
		return "", m, nil
	}
	if address, err = metrics.Address(o.metrics); err != nil {
		return "", m, fmt.Errorf("--metrics: %w", err)
	}
	return address, metrics.Options{Version: version(), Revision: revision(), Rules: rules.Texts(list), Selection: selected, Interfaces: all.interfaces}, nil
}
