package process

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/rdmacap/rdmacap/report/metrics/exposition"
)

// values are what is known now of metrics with one series, and of summaries the count.
func values(t *testing.T) map[string]float64 {
	t.Helper()
	list := make(map[string]float64)
	for _, f := range Append(nil) {
		if _, twice := list[f.Name]; twice || len(f.Series) != 1 {
			t.Errorf("%s: %d series, or there are two of it", f.Name, len(f.Series))
		}
		s := &f.Series[0]
		if list[f.Name] = s.Value; f.Kind == exposition.Summary {
			list[f.Name] = float64(s.Count)
		}
	}
	return list
}

// TestRuntime holds values that can be known otherwise.
func TestRuntime(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(123))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 40))
	before := values(t)
	runtime.GC()
	runtime.GC()
	got := values(t)
	for name, want := range map[string]float64{
		"go_info": 1, "go_gc_gogc_percent": 123, "go_gc_gomemlimit_bytes": 1 << 40, "go_sched_gomaxprocs_threads": float64(runtime.GOMAXPROCS(0)),
		"go_memstats_heap_alloc_bytes": got["go_memstats_alloc_bytes"],
		"go_memstats_heap_sys_bytes":   got["go_memstats_heap_inuse_bytes"] + got["go_memstats_heap_idle_bytes"],
		"go_memstats_heap_objects":     got["go_memstats_mallocs_total"] - got["go_memstats_frees_total"],
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s is %v, want %v", name, v, want)
		}
	}
	if n := got["go_gc_duration_seconds"] - before["go_gc_duration_seconds"]; n < 2 {
		t.Errorf("%v garbage collections were counted", n)
	}
	for _, name := range []string{"go_goroutines", "go_threads", "go_memstats_last_gc_time_seconds", "go_memstats_sys_bytes", "go_memstats_next_gc_bytes", "go_memstats_stack_inuse_bytes"} {
		if got[name] < 1 {
			t.Errorf("%s is %v", name, got[name])
		}
	}
	all := readings()
	for _, r := range all {
		if _, ok := got[r.name]; !ok {
			t.Errorf("this version of Go does not know %s: %q", r.name, r.of)
		}
	}
	if len(all) < 20 {
		t.Errorf("%d readings", len(all))
	}
}
