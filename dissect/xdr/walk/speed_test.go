package walk_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/internal/xdrsample"
)

func TestWalkAllocatesNothing(t *testing.T) {
	p := sample(t, "stateid.other", "attrvalue.size", "entry.name")
	list := hexBytes(0, 1, uint64(7), data("a.c"), 1, 1, 1<<4, data("\x00\x00\x00\x00\x00\x00\x00\x09"), 0, 1)
	reads, writes := []walk.ReadChunk{{84, 5}}, []uint32{9}
	var w walk.Walker
	var line []byte
	call, reply := xdrsample.WriteCall(5, data("678")), xdrsample.ReadReply(9, data(""))
	if n := testing.AllocsPerRun(100, func() {
		w.Walk(sampleArgs(p, 1), xdrsample.CompoundCall, walk.Reduction{})
		line = view.AppendSummary(line[:0], &w)
		w.Walk(sampleResult(p, 1), xdrsample.CompoundReply, walk.Reduction{})
		line = view.AppendSummary(line[:0], &w)
		w.Walk(sampleResult(p, 2), list, walk.Reduction{})
		w.Walk(sampleArgs(p, 1), call, walk.Reduction{Reads: reads})
		w.Walk(sampleResult(p, 1), reply, walk.Reduction{Writes: writes})
		line = view.AppendSummary(line[:0], &w)
		w.Walk(sampleResult(p, 1), xdrsample.CompoundReply[:30], walk.Reduction{})
		line = view.AppendSummary(line[:0], &w)
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

// BenchmarkCompoundCall walks over SEQUENCE, PUTFH, READ, GETATTR with the marks
// that summaries need.
func BenchmarkCompoundCall(b *testing.B) {
	p := sample(b)
	r := sampleArgs(p, 1)
	var w walk.Walker
	b.ReportAllocs()
	for b.Loop() {
		w.Walk(r, xdrsample.CompoundCall, walk.Reduction{})
	}
	if w.Fault.Bad() || len(w.Events) == 0 {
		b.Fatal(w.Fault)
	}
}

// BenchmarkCompoundReply walks over PUTFH, READ, GETATTR.
func BenchmarkCompoundReply(b *testing.B) {
	p := sample(b)
	r := sampleResult(p, 1)
	var w walk.Walker
	b.ReportAllocs()
	for b.Loop() {
		w.Walk(r, xdrsample.CompoundReply, walk.Reduction{})
	}
	if w.Fault.Bad() || len(w.Events) == 0 {
		b.Fatal(w.Fault)
	}
}

func BenchmarkParse(b *testing.B) {
	b.SetBytes(int64(len(xdrsample.Text)))
	b.ReportAllocs()
	for b.Loop() {
		s, err := types.Parse("sample.x", xdrsample.Text)
		if err == nil {
			_, err = walk.NewPlan(s)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
