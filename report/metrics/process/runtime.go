package process

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/rdmacap/rdmacap/report/metrics/exposition"
)

// appendGo appends what the Go runtime says of itself.
func appendGo(families []exposition.Family) []exposition.Family {
	threads, _ := runtime.ThreadCreateProfile(nil) // how many there are is all that is asked for
	info := exposition.Family{Name: "go_info", Help: "Information about the Go environment.", Kind: exposition.Gauge, Labels: []string{"version"}}
	info.Add(1, runtime.Version())
	families = append(families, info,
		one(exposition.Gauge, "go_goroutines", "Number of goroutines that currently exist.", float64(runtime.NumGoroutine())),
		one(exposition.Gauge, "go_threads", "Number of OS threads created.", float64(threads)))
	return appendMemory(appendPauses(families))
}

// appendPauses appends what garbage collection cost.
func appendPauses(families []exposition.Family) []exposition.Family {
	quantiles := [...]float64{0, 0.25, 0.5, 0.75, 1}
	stats := debug.GCStats{PauseQuantiles: make([]time.Duration, len(quantiles))}
	debug.ReadGCStats(&stats)
	pauses := exposition.Family{
		Name: "go_gc_duration_seconds", Help: "A summary of the wall-time pause (stop-the-world) duration in garbage collection cycles.",
		Kind: exposition.Summary, Bounds: quantiles[:],
	}
	var seconds [len(quantiles)]float64
	for i, d := range stats.PauseQuantiles {
		seconds[i] = d.Seconds()
	}
	pauses.Observed(stats.PauseTotal.Seconds(), uint64(stats.NumGC), seconds[:])
	return append(families, pauses, one(exposition.Gauge, "go_memstats_last_gc_time_seconds",
		"Number of seconds since 1970 of last garbage collection.", float64(stats.LastGC.UnixNano())/1e9))
}

// appendMemory appends what package runtime/metrics has. All of it is read at once, so that
// the numbers fit each other.
func appendMemory(families []exposition.Family) []exposition.Family {
	list := readings()
	var samples []metrics.Sample
	for i := range list {
		for _, name := range list[i].of {
			samples = append(samples, metrics.Sample{Name: name})
		}
	}
	metrics.Read(samples)
	for i := range list {
		r := &list[i]
		sum, known := uint64(0), true
		for _, s := range samples[:len(r.of)] {
			if s.Value.Kind() != metrics.KindUint64 {
				known = false // to this version of Go
				break
			}
			sum += s.Value.Uint64()
		}
		samples = samples[len(r.of):]
		if known {
			families = append(families, one(r.kind, r.name, r.help, float64(sum)))
		}
	}
	return families
}
