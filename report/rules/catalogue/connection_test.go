package catalogue_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// usual are connections as most are, one after the other: set up, a few RPCs, closed.
const usual = `
repeat 64
connect client=4096/4096 server=4096/4096
call $ NFS3 NULL
reply $
call $ NFS3 GETATTR
reply $
call $ NFS3 READ count=8192
    write 0x801 8192
reply $ data=bytes(8192)
call $ NFS3 WRITE data=bytes(8192)
    read 0x802 8192
reply $
call $ NFS3 GETATTR
reply $
disconnect
wait 1s
end
`

// BenchmarkConnection reports what each connection costs in memory that is allocated, with
// the rules and without. What is made once was made by those before.
func BenchmarkConnection(b *testing.B) {
	list := ruletest.Frames(b, usual, scene.RoCE)
	for name, all := range map[string][]*rules.Rule{"all rules": catalogue.All(), "no rules": nil} {
		b.Run(name, func(b *testing.B) {
			var allocs, size, connections float64
			for b.Loop() {
				m, n := connections64(b, list, all)
				allocs, size, connections = allocs+float64(m.Mallocs), size+float64(m.TotalAlloc), connections+float64(n)
			}
			b.ReportMetric(allocs/connections, "allocs/connection")
			b.ReportMetric(size/connections, "B/connection")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// TestConnectionAllocates bounds what each connection costs in memory that is allocated: it
// runs beside no other test, and a few allocations of somebody else do not show.
func TestConnectionAllocates(t *testing.T) {
	const mostAllocs, mostBytes = 100, 22_000
	list := ruletest.Frames(t, usual, scene.RoCE)
	allocs, size := math.MaxInt, math.MaxInt
	for range 5 { // the runtime allocates something too, now and then
		m, n := connections64(t, list, catalogue.All())
		allocs, size = min(allocs, int(m.Mallocs)/n), min(size, int(m.TotalAlloc)/n)
	}
	if allocs > mostAllocs || size > mostBytes {
		t.Errorf("%d allocations and %d bytes for each connection, want at most %d and %d", allocs, size, mostAllocs, mostBytes)
	}
}

// connections64 is what the second half of the connections allocates, and how many those are.
func connections64(tb testing.TB, list []capture.Frame, all []*rules.Rule) (used runtime.MemStats, n int) {
	tb.Helper()
	bindings := bindingsOf(tb, catalogue.All())
	ended := 0
	k := rules.NewChecker(all, rules.DefaultConfig(), func(c *dissect.Connection, _ []*finding.Finding) {
		if c != nil {
			ended++
		}
	})
	d := dissect.New(k, dissect.Options{Units: true, Accesses: k, Bindings: bindings})
	for i := range list[:len(list)/2] {
		d.Frame(&list[i])
	}
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	n = ended
	for i := range list[len(list)/2:] {
		d.Frame(&list[len(list)/2+i])
	}
	runtime.ReadMemStats(&used)
	n = ended - n
	k.Over()
	d.Flush()
	k.Finish()
	if const64 := 64; n == 0 || ended != const64 {
		tb.Fatalf("%d connections ended, %d in the second half", ended, n)
	}
	used.Mallocs -= before.Mallocs
	used.TotalAlloc -= before.TotalAlloc
	return used, n
}
