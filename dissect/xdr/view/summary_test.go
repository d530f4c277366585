package view_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/internal/xdrsample"
)

func TestSummary(t *testing.T) {
	p := sample(t)
	for _, tt := range []struct {
		data    []byte
		route   *walk.Route
		reduced walk.Reduction
		want    string
	}{
		{xdrsample.CompoundCall, sampleArgs(p, 1), walk.Reduction{}, "SEQUENCE slot 3 seq 0x00000007; PUTFH 0x918020d9; READ offset 4096 count 512; GETATTR TYPE|SIZE|MTIME"},
		{xdrsample.CompoundCall[:70], sampleArgs(p, 1), walk.Reduction{}, "SEQUENCE slot 3 seq 0x00000007; PUTFH 0x918020d9; READ..."},
		{xdrsample.CompoundCall[:92], sampleArgs(p, 1), walk.Reduction{}, "SEQUENCE slot 3 seq 0x00000007; PUTFH 0x918020d9; READ offset 4096..."},
		{xdrsample.WriteCall(data("12345"), 7), sampleArgs(p, 1), walk.Reduction{Reads: []walk.ReadChunk{{Position: 128, Length: 7}}}, "SEQUENCE slot 3 seq 0x00000007; WRITE offset 4096 5 bytes, stable; WRITE offset 8192 7 bytes; GETATTR TYPE"},
		{xdrsample.CompoundReply, sampleResult(p, 1), walk.Reduction{}, "PUTFH; READ S_OK, 9 bytes, eof; GETATTR S_OK, 4096 bytes"},
		{hexBytes(5, data(""), 2, 22, 5, 25, -1), sampleResult(p, 1), walk.Reduction{}, "PUTFH SERR_IO; READ SERR_NEG"},
		{hexBytes(0, 1, data("x")), sampleResult(p, 4), walk.Reduction{}, `S_OK, 1 byte, eof`},
		{hexBytes(7), sampleResult(p, 4), walk.Reduction{}, `7`},
		{hexBytes(data("n\n"), 0, 0, 1, data(""), data("\x00\x00\x00\x00\x00\x00\x00\x3c\x00\x00\x00\x07")), sampleArgs(p, 4), walk.Reduction{}, `"n\n" access 0x00000000 60 s`},
		{hexBytes(0, 0, 1), sampleResult(p, 2), walk.Reduction{}, ""},
	} {
		var w walk.Walker
		w.Walk(tt.route, tt.data, tt.reduced)
		if got := string(view.AppendSummary(nil, &w)); got != tt.want {
			t.Errorf("summary of % x is\n%s\nwant\n%s", tt.data, got, tt.want)
		}
	}
}

// TestTemplates fills templates in: T is an argument, its bytes stand there.
func TestTemplates(t *testing.T) {
	for _, tt := range []struct {
		text string
		data []byte
		want string
	}{
		{`struct T { int a; /* @summary "\{a\} \[\"{a}\"\] \\" */ };`, hexBytes(-3), `{a} ["-3"] \`},
		{`struct T { int a; /* @summary "one "` + "\n * " + `"two {a:hex}" */ };`, hexBytes(-3), "one two 0xfffffffd"},
		{`struct T { bool a; bool b; /* @summary "[a{a?}][b{b?}][not a{a!}][not b{b!}]" */ };`, hexBytes(0, 1), "bnot a"},
		{`struct T { opaque a<>; int b<>; /* @summary "[some{a?}][none{a!}] {b}" */ };`, hexBytes(data(""), 2, 5, 6), "none 2"},
		{`typedef opaque T<9>; /* @as hex @summary "[{.?}handle {.}]" */`, hexBytes(data("ab")), "handle 0x6162"},
		{`typedef string T<9>; /* @summary "{.}" */`, hexBytes(data("a\"b")), `"a\"b"`},
		{`struct N { int x; /* @summary "x={x}" */ }; struct T { N n; N *m; N *o; /* @summary "{n} [{m}][{o}]" */ };`, hexBytes(1, 1, 2, 0), "x=1 x=2"},
		{`struct N { int x; /* @summary "x={x}" */ }; typedef N M; struct T { M n; /* @summary "{n}" */ };`, hexBytes(8), "x=8"},
		{`struct E { int x; E *next; }; struct T { E *list; /* @summary "{list} [first {list.x}]" */ };`, hexBytes(1, 7, 1, 8, 0), "2 first 7"},
		{`struct N { int x; }; struct T { N a<>; /* @summary "{a} [first {a.x}]" */ };`, hexBytes(2, 7, 8), "2 first 7"},
		{`enum E { E_A = 1, /* @prefix E_ */ E_B = 2 }; struct T { E a; E b; E c; /* @summary "{a} {b:decimal} {c:hex}" */ };`, hexBytes(1, 2, 9), "A 2 0x00000009"},
		{`union T switch (int d) { /* @summary "{d}[ a={a}][ b={b}]" */ case 1: int a; default: hyper b; };`, hexBytes(1, 5), "1 a=5"},
		{`struct T { opaque a<>; /* @as text */ /* @summary "{a:count}" */ };`, hexBytes(data("abc")), "3 bytes"},
		{`struct T { unsigned int a<>; /* @summary "{a:bits B}" */ }; enum B { ONE = 1, FORTY = 40 };`, hexBytes(2, 1<<1|1<<3, 1<<8), "ONE|3|FORTY"},
	} {
		s, err := types.Parse("t.x", tt.text+"\nprogram P { version V { void F(T) = 1; } = 1; } = 1;")
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		p, err := walk.NewPlan(s)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		var w walk.Walker
		w.Walk(p.Args(s.Procedure(1, 1, 1)), tt.data, walk.Reduction{})
		if got := string(view.AppendSummary(nil, &w)); got != tt.want || w.Fault.Bad() {
			t.Errorf("%s: summary is %q, want %q; fault %q", tt.text, got, tt.want, w.Fault)
		}
	}
}

// TestLongSummary counts the operations that a line has no room for.
func TestLongSummary(t *testing.T) {
	b := hexBytes(data(""), 1, 1000)
	for range 1000 {
		b = append(b, hexBytes(22, data("handle"))...)
	}
	p := sample(t)
	var w walk.Walker
	w.Walk(sampleArgs(p, 1), b, walk.Reduction{})
	got := string(view.AppendSummary(nil, &w))
	shown := strings.Count(got, "PUTFH")
	if want := "; and " + strconv.Itoa(1000-shown) + " more"; !strings.HasSuffix(got, want) || len(got) > view.MaxSummary+100 {
		t.Errorf("summary of %d bytes with %d operations ends %q, want %q", len(got), shown, got[max(0, len(got)-40):], want)
	}
}

func BenchmarkSummary(b *testing.B) {
	p := sample(b)
	var w walk.Walker
	w.Walk(sampleArgs(p, 1), xdrsample.CompoundCall, walk.Reduction{})
	var line []byte
	b.ReportAllocs()
	for b.Loop() {
		line = view.AppendSummary(line[:0], &w)
	}
}
