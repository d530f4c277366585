package lang

import "testing"

func TestWalkAllocatesNothing(t *testing.T) {
	p := sample(t, "stateid.other", "attrvalue.size", "entry.name")
	list := octets(0, 1, uint64(7), data("a.c"), 1, 1, 1<<4, data("\x00\x00\x00\x00\x00\x00\x00\x09"), 0, 1)
	reads, writes := []ReadChunk{{84, 5}}, []uint32{9}
	var w Walker
	var line []byte
	call, reply := writeCall(5, data("678")), readReply(9, data(""))
	if n := testing.AllocsPerRun(100, func() {
		w.Walk(p.sampleArgs(1), compoundCall, Reduction{})
		line = w.AppendSummary(line[:0])
		w.Walk(p.sampleResult(1), compoundReply, Reduction{})
		line = w.AppendSummary(line[:0])
		w.Walk(p.sampleResult(2), list, Reduction{})
		w.Walk(p.sampleArgs(1), call, Reduction{Reads: reads})
		w.Walk(p.sampleResult(1), reply, Reduction{Writes: writes})
		line = w.AppendSummary(line[:0])
		w.Walk(p.sampleResult(1), compoundReply[:30], Reduction{})
		line = w.AppendSummary(line[:0])
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

// BenchmarkCompoundCall walks over SEQUENCE, PUTFH, READ, GETATTR with the marks
// that summaries need.
func BenchmarkCompoundCall(b *testing.B) {
	p := sample(b)
	r := p.sampleArgs(1)
	var w Walker
	b.ReportAllocs()
	for b.Loop() {
		w.Walk(r, compoundCall, Reduction{})
	}
	if w.Fault.Bad() || len(w.Events) == 0 {
		b.Fatal(w.Fault)
	}
}

// BenchmarkCompoundReply walks over PUTFH, READ, GETATTR.
func BenchmarkCompoundReply(b *testing.B) {
	p := sample(b)
	r := p.sampleResult(1)
	var w Walker
	b.ReportAllocs()
	for b.Loop() {
		w.Walk(r, compoundReply, Reduction{})
	}
	if w.Fault.Bad() || len(w.Events) == 0 {
		b.Fatal(w.Fault)
	}
}

func BenchmarkSummary(b *testing.B) {
	p := sample(b)
	var w Walker
	w.Walk(p.sampleArgs(1), compoundCall, Reduction{})
	var line []byte
	b.ReportAllocs()
	for b.Loop() {
		line = w.AppendSummary(line[:0])
	}
}

func BenchmarkParse(b *testing.B) {
	b.SetBytes(int64(len(sampleText)))
	b.ReportAllocs()
	for b.Loop() {
		s, err := Parse("sample.x", sampleText)
		if err == nil {
			_, err = s.Plan()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
