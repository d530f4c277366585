package process

import "github.com/rdmacap/rdmacap/report/metrics/exposition"

// Append appends what is known now: of the runtime always, of the process on Linux.
// What cannot be read is left out.
func Append(families []exposition.Family) []exposition.Family {
	return appendProcess(appendGo(families))
}

// one is a metric with one series.
func one(kind exposition.Kind, name, help string, value float64) exposition.Family {
	return exposition.Family{Name: name, Help: help, Kind: kind, Series: []exposition.Series{{Value: value}}}
}
