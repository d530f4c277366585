package lang

import (
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	p := sample(t)
	for _, tt := range []struct {
		octets  []byte
		route   *Route
		reduced Reduction
		want    string
	}{
		{compoundCall, p.sampleArgs(1), Reduction{}, "SEQUENCE slot 3 seq 0x00000007; PUTFH 0x918020d9; READ offset 4096 count 512; GETATTR TYPE|SIZE|MTIME"},
		{compoundCall[:70], p.sampleArgs(1), Reduction{}, "SEQUENCE slot 3 seq 0x00000007; PUTFH 0x918020d9; READ..."},
		{compoundCall[:92], p.sampleArgs(1), Reduction{}, "SEQUENCE slot 3 seq 0x00000007; PUTFH 0x918020d9; READ offset 4096..."},
		{writeCall(data("12345"), 7), p.sampleArgs(1), Reduction{Reads: []ReadChunk{{128, 7}}}, "SEQUENCE slot 3 seq 0x00000007; WRITE offset 4096 5 octets, stable; WRITE offset 8192 7 octets; GETATTR TYPE"},
		{compoundReply, p.sampleResult(1), Reduction{}, "PUTFH; READ S_OK, 9 octets, eof; GETATTR S_OK, 4096 octets"},
		{octets(5, data(""), 2, 22, 5, 25, -1), p.sampleResult(1), Reduction{}, "PUTFH SERR_IO; READ SERR_NEG"},
		{octets(0, 1, data("x")), p.sampleResult(4), Reduction{}, `S_OK, 1 octet, eof`},
		{octets(7), p.sampleResult(4), Reduction{}, `7`},
		{octets(data("n\n"), 0, 0, 1, data(""), data("\x00\x00\x00\x00\x00\x00\x00\x3c\x00\x00\x00\x07")), p.sampleArgs(4), Reduction{}, `"n\n" access 0x00000000 60 s`},
		{octets(0, 0, 1), p.sampleResult(2), Reduction{}, ""},
	} {
		var w Walker
		w.Walk(tt.route, tt.octets, tt.reduced)
		if got := string(w.AppendSummary(nil)); got != tt.want {
			t.Errorf("summary of % x is\n%s\nwant\n%s", tt.octets, got, tt.want)
		}
	}
}

// TestTemplates fills templates in: T is an argument, its octets stand there.
func TestTemplates(t *testing.T) {
	for _, tt := range []struct {
		text   string
		octets []byte
		want   string
	}{
		{`struct T { int a; /* @summary "\{a\} \[\"{a}\"\] \\" */ };`, octets(-3), `{a} ["-3"] \`},
		{`struct T { int a; /* @summary "one "` + "\n * " + `"two {a:hex}" */ };`, octets(-3), "one two 0xfffffffd"},
		{`struct T { bool a; bool b; /* @summary "[a{a?}][b{b?}][not a{a!}][not b{b!}]" */ };`, octets(0, 1), "bnot a"},
		{`struct T { opaque a<>; int b<>; /* @summary "[some{a?}][none{a!}] {b}" */ };`, octets(data(""), 2, 5, 6), "none 2"},
		{`typedef opaque T<9>; /* @as hex @summary "[{.?}handle {.}]" */`, octets(data("ab")), "handle 0x6162"},
		{`typedef string T<9>; /* @summary "{.}" */`, octets(data("a\"b")), `"a\"b"`},
		{`struct N { int x; /* @summary "x={x}" */ }; struct T { N n; N *m; N *o; /* @summary "{n} [{m}][{o}]" */ };`, octets(1, 1, 2, 0), "x=1 x=2"},
		{`struct N { int x; /* @summary "x={x}" */ }; typedef N M; struct T { M n; /* @summary "{n}" */ };`, octets(8), "x=8"},
		{`struct E { int x; E *next; }; struct T { E *list; /* @summary "{list} [first {list.x}]" */ };`, octets(1, 7, 1, 8, 0), "2 first 7"},
		{`struct N { int x; }; struct T { N a<>; /* @summary "{a} [first {a.x}]" */ };`, octets(2, 7, 8), "2 first 7"},
		{`enum E { E_A = 1, /* @prefix E_ */ E_B = 2 }; struct T { E a; E b; E c; /* @summary "{a} {b:decimal} {c:hex}" */ };`, octets(1, 2, 9), "A 2 0x00000009"},
		{`union T switch (int d) { /* @summary "{d}[ a={a}][ b={b}]" */ case 1: int a; default: hyper b; };`, octets(1, 5), "1 a=5"},
		{`struct T { opaque a<>; /* @as text */ /* @summary "{a:count}" */ };`, octets(data("abc")), "3 octets"},
		{`struct T { unsigned int a<>; /* @summary "{a:bits B}" */ }; enum B { ONE = 1, FORTY = 40 };`, octets(2, 1<<1|1<<3, 1<<8), "ONE|3|FORTY"},
	} {
		s, err := Parse("t.x", tt.text+"\nprogram P { version V { void F(T) = 1; } = 1; } = 1;")
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		p, err := s.Plan()
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		var w Walker
		w.Walk(p.Args(s.Procedure(1, 1, 1)), tt.octets, Reduction{})
		if got := string(w.AppendSummary(nil)); got != tt.want || w.Fault.Bad() {
			t.Errorf("%s: summary is %q, want %q; fault %q", tt.text, got, tt.want, w.Fault)
		}
	}
}

// TestLongSummary counts the operations that a line has no room for.
func TestLongSummary(t *testing.T) {
	b := octets(data(""), 1, 1000)
	for range 1000 {
		b = append(b, octets(22, data("handle"))...)
	}
	p := sample(t)
	var w Walker
	w.Walk(p.sampleArgs(1), b, Reduction{})
	got := string(w.AppendSummary(nil))
	shown := strings.Count(got, "PUTFH")
	if want := "; and " + itoa(1000-shown) + " more"; !strings.HasSuffix(got, want) || len(got) > maxSummary+100 {
		t.Errorf("summary of %d octets with %d operations ends %q, want %q", len(got), shown, got[max(0, len(got)-40):], want)
	}
}
