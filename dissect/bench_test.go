package dissect_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
)

// BenchmarkRead dissects real captures that lie in memory, of RoCEv2 and of
// iWARP, for nobody: frame by frame, and with the headers decoded ahead by
// another goroutine.
func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"rxe-basic", "siw-basic"} {
		list := load(b, name)
		b.Run(name+"/Frame", func(b *testing.B) {
			benchmark(b, list, func(d *dissect.Dissector) {
				for i := range list {
					d.Frame(&list[i])
				}
			})
		})
		b.Run(name+"/Run", func(b *testing.B) {
			benchmark(b, list, func(d *dissect.Dissector) {
				if faults, err := d.Run(&memory{source{list}}, func(bool) error { return nil }); faults != nil || err != nil {
					b.Fatal(faults, err)
				}
			})
		})
	}
}

// memory is a source that never waits, as a file does not.
type memory struct{ source }

func (*memory) Ready() bool { return true }

// benchmark times one whole capture an iteration, with a Dissector of its own.
func benchmark(b *testing.B, list []capture.Frame, read func(*dissect.Dissector)) {
	size := 0
	for i := range list {
		size += len(list[i].Data)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	counts := new(tally)
	for b.Loop() {
		d := dissect.New(counts, dissect.Options{})
		read(d)
		d.Flush()
	}
	if counts.rpcs == 0 {
		b.Fatal("no RPC was found")
	}
	b.ReportMetric(float64(len(list)*b.N)/b.Elapsed().Seconds(), "frames/s")
}
