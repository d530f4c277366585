package types_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/internal/xdrsample"
)

// TestTypes declares a type T and looks at what is made of it.
func TestTypes(t *testing.T) {
	for _, tt := range []struct {
		text string
		want string // as describe writes it
	}{
		{"typedef int T;", "int"},
		{"typedef unsigned T;", "unsigned int"},
		{"typedef unsigned int T;", "unsigned int"},
		{"typedef unsigned long T;", "unsigned int"},
		{"typedef long T;", "int"},
		{"typedef short int T;", "int"},
		{"typedef unsigned char T;", "unsigned int"},
		{"typedef hyper T;", "hyper"},
		{"typedef unsigned hyper T;", "unsigned hyper"},
		{"typedef int64_t T;", "hyper"},
		{"typedef uint64_t T;", "unsigned hyper"},
		{"typedef u_int T;", "unsigned int"},
		{"typedef float T;", "float"},
		{"typedef double T;", "double"},
		{"typedef quadruple T;", "quadruple"},
		{"typedef bool T;", "bool"},
		{"typedef netobj T;", "opaque<1024>"},
		{"const N = 0x10; typedef opaque T[N];", "opaque[16]"},
		{"const N = 010; typedef opaque T<N>;", "opaque<8>"},
		{"typedef opaque T<>;", "opaque<>"},
		{"typedef string T<7>;", "string<7>"},
		{"typedef int T[3];", "array[3] of int"},
		{"typedef int T<3>;", "array<3> of int"},
		{"typedef int *T;", "optional int"},
		{"typedef A T; typedef B A; typedef hyper B;", "hyper"},
		{"typedef struct S T; struct S { int a; };", "struct {a int}"},
		{"typedef struct { int a; } T;", "struct {a int}"},
		{"typedef struct S { int a; } T;", "struct {a int}"},
		{"struct A { T *t; }; typedef struct { opaque a[3]; union switch (int d) { case 7: T *more; } u; } T;", "struct {a opaque[3]; u union (d int) {7:more optional T}}"},
		{"struct A { T t; }; typedef opaque T<7>;", "opaque<7>"},
		{"struct A { T t; }; typedef unsigned int T;", "unsigned int"},
		{"struct A { T t; }; typedef enum { X = 3 } T;", "enum {X=3}"},
		{"struct T { int a; struct { bool b; } c<2>; };", "struct {a int; c array<2> of struct {b bool}}"},
		{"struct T { enum { X = 1, Y } e; };", "struct {e enum {X=1 Y=2}}"},
		{"enum T { A = -1, B = 5, C };", "enum {A=-1 B=5 C=6}"},
		{"union T switch (int d) { case 1: case 2: int a; case 3: void; default: bool b; };", "union (d int) {1:a int 2:a int 3:void default:b bool}"},
		{"union T switch (bool d) { case TRUE: int a; case FALSE: void; };", "union (d bool) {0:void 1:a int}"},
		{"enum E { X = 7 }; union T switch (E d) { case X: int a; };", "union (d enum {X=7}) {7:a int}"},
		{"#define N 4\ntypedef opaque T[N];", "opaque[4]"},
		{"%#define N 4\ntypedef opaque T[N];", "opaque[4]"},
		{"#ifdef RPC_HDR\nnonsense [[[\n#else\ntypedef int T;\n#endif", "int"},
		{"#ifndef RPC_HDR\ntypedef int T;\n#endif", "int"},
		{"#if RPC_HDR\n%nonsense\n#ifdef X\n#endif\nnonsense\n#endif\ntypedef int T;", "int"},
		{"#define Y\n#ifdef Y\ntypedef int T;\n#else\nnonsense\n#endif", "int"},
		{"% nonsense here\n// and here\n/* and\n * here */ typedef int T;", "int"},
		{"typedef int T;;", "int"},
		{"typedef int T; typedef int T;", "int"},
		{"typedef struct T T; struct T { int a; };", "struct {a int}"},
	} {
		s, err := types.Parse("t.x", tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if got := describe(s.Type("T")); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.text, got, tt.want)
		}
	}
}

// describe writes a type out.
func describe(t *types.Type) string {
	limit := ""
	if t.Limit != types.Unlimited {
		limit = strconv.Itoa(int(t.Limit))
	}
	switch t.Kind {
	case types.FixedOpaque:
		return "opaque[" + limit + "]"
	case types.Opaque, types.String:
		return t.Kind.String() + "<" + limit + ">"
	case types.FixedArray:
		return "array[" + limit + "] of " + describe(t.Elem)
	case types.Array:
		return "array<" + limit + "> of " + describe(t.Elem)
	case types.Optional:
		if t.Elem.Name == "T" {
			return "optional T" // that may be where it stands
		}
		return "optional " + describe(t.Elem)
	case types.Enum:
		var parts []string
		for _, m := range t.Names.Members {
			parts = append(parts, m.Name+"="+strconv.Itoa(int(m.Value)))
		}
		return "enum {" + strings.Join(parts, " ") + "}"
	case types.Struct:
		var parts []string
		for _, f := range t.Fields {
			parts = append(parts, f.Name+" "+describe(f.Type))
		}
		return "struct {" + strings.Join(parts, "; ") + "}"
	case types.Union:
		arm := func(i int) string {
			return strings.TrimSpace(t.Fields[i].Name + " " + describe(t.Fields[i].Type))
		}
		var parts []string
		for _, a := range t.Arms {
			parts = append(parts, strconv.Itoa(int(int32(a.Value)))+":"+arm(a.Field))
		}
		if t.Default > 0 {
			parts = append(parts, "default:"+arm(t.Default))
		}
		return "union (" + arm(0) + ") {" + strings.Join(parts, " ") + "}"
	}
	return t.Kind.String()
}

func TestPrograms(t *testing.T) {
	s, err := types.Parse("sample.x", xdrsample.Text)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Program(xdrsample.Program); got == nil || got.Name != "SAMPLE" || s.Program(1) != nil {
		t.Errorf("program is %+v", got)
	}
	v := s.Program(xdrsample.Program).Version(1)
	if v == nil || v.Name != "SAMPLE_1" || len(v.Procedures) != 6 || s.Programs[0].Version(2) != nil {
		t.Fatalf("version is %+v", v)
	}
	for i, want := range []string{"NULL void void", "COMPOUND COMPOUNDargs COMPOUNDres", "READDIR fh READDIRres", "TREE tree tree", "LINK LINKargs READres", "SUM struct int"} {
		proc := s.Procedure(xdrsample.Program, 1, uint32(i))
		if got := proc.Name + " " + proc.Args.String() + " " + proc.Result.String(); got != want || proc.Version != v || proc.Program != s.Programs[0] {
			t.Errorf("procedure %d is %s, want %s", i, got, want)
		}
	}
	if s.Procedure(xdrsample.Program, 1, 6) != nil || s.Procedure(xdrsample.Program, 2, 1) != nil {
		t.Error("a procedure that is not there was found")
	}
	if n := testing.AllocsPerRun(100, func() { s.Procedure(xdrsample.Program, 1, 1); s.Program(xdrsample.Program).Version(1) }); n != 0 {
		t.Errorf("%v allocations to look up a procedure, want none", n)
	}
	sum := s.Procedure(xdrsample.Program, 1, 5).Args
	if got := describe(sum); got != "struct {arg1 int; arg2 unsigned hyper}" {
		t.Errorf("arguments are %s", got)
	}
	// A string may stand without a name (RFC 1833, section 2.1).
	s, err = types.Parse("t.x", "program P { version V { string GET(string<9>) = 3; bool *SET(opaque) = 4; } = 2; } = 1;")
	if err != nil {
		t.Fatal(err)
	}
	get, set := s.Procedure(1, 2, 3), s.Procedure(1, 2, 4)
	if describe(get.Result) != "string<>" || describe(get.Args) != "string<9>" || describe(set.Result) != "optional bool" || describe(set.Args) != "opaque<>" {
		t.Errorf("procedures are %v(%v), %v(%v)", get.Result, get.Args, set.Result, set.Args)
	}
}

// TestProgramsAreMerged has programs of the same number in several texts, as those
// of NFS are.
func TestProgramsAreMerged(t *testing.T) {
	s, err := types.ParseAll(
		syntax.Source{File: "a.x", Text: "program B_PROGRAM { version V4 { void NULL(void) = 0; } = 4; } = 7; program OTHER { version V { void F(void) = 1; } = 1; } = 8;"},
		syntax.Source{File: "b.x", Text: "/* Of old. */ program A_PROGRAM { version V2 { void NULL(void) = 0; } = 2; version V3 { void NULL(void) = 0; } = 3; } = 7;"},
		syntax.Source{File: "c.x", Text: "program A_PROGRAM { version V5 { void NULL(void) = 0; } = 5; } = 7;"},
	)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Program(7)
	if len(s.Programs) != 2 || s.Programs[0] != p || p.Name != "B_PROGRAM" || p.Doc != "Of old." || !slices.Equal(p.Names, []string{"B_PROGRAM", "A_PROGRAM"}) {
		t.Errorf("program is %+v of %d", p, len(s.Programs))
	}
	var versions []string
	for _, v := range p.Versions {
		versions = append(versions, v.Name+" "+v.ProgramName)
		if proc := s.Procedure(7, v.Number, 0); proc == nil || proc.Program != p || proc.Version != v || p.Version(v.Number) != v {
			t.Errorf("version %d has the procedure %+v", v.Number, proc)
		}
	}
	if want := []string{"V2 A_PROGRAM", "V3 A_PROGRAM", "V4 B_PROGRAM", "V5 A_PROGRAM"}; !slices.Equal(versions, want) {
		t.Errorf("versions are %q, want %q", versions, want)
	}
	for _, tt := range []struct{ text, want string }{
		{"program A { version V { void F(void) = 1; } = 1; version W { void G(void) = 2; } = 1; } = 7;", "t.x:1:58: W has the number 1, which V has at t.x:1:21"},
		{"program A { version V { void F(void) = 1; } = 1; } = 7; program A { version W { void G(void) = 2; } = 2; } = 8;", "t.x:1:65: A is declared twice, first at t.x:1:9"},
	} {
		if _, err := types.Parse("t.x", tt.text); err == nil || !strings.HasPrefix(err.Error(), tt.want+"\n") {
			t.Errorf("%s: error is %v, want %s", tt.text, err, tt.want)
		}
	}
}

// TestRank has values of an enum with a rank and without one, values that it does not have, and one that no
// operation has, which is not taken for the 1 that its low word is.
func TestRank(t *testing.T) {
	s, err := types.Parse("t.x", "enum E { A = 1, /* @rank 2 */ B = 7, C = -1 /* @rank 0 */ };")
	if err != nil {
		t.Fatal(err)
	}
	names := s.Type("E").Names
	for v, want := range map[uint64]uint8{1: 2, 7: types.MaxRank, 1<<32 - 1: 0, 5: types.MaxRank, 75: types.MaxRank, 1<<32 + 1: 0, 589824: 0} {
		if got := names.Rank(v); got != want {
			t.Errorf("the rank of %d is %d, want %d", v, got, want)
		}
	}
}

// TestConst looks constants up, and values of enums of which some are the same.
func TestConst(t *testing.T) {
	s, err := types.Parse("t.x", "const A = 3; const B = A; const C = 0xffffffffffffffff; enum E { Z = 5, Y = -1, X = A, W = 3 };")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int64{"A": 3, "B": 3, "C": -1, "Z": 5, "Y": -1, "W": 3, "TRUE": 1} {
		if got, ok := s.Const(name); !ok || got != want {
			t.Errorf("%s is %d, %v, want %d", name, got, ok, want)
		}
	}
	if _, ok := s.Const("D"); ok {
		t.Error("D is a constant")
	}
	names := s.Type("E").Names
	for v, want := range map[uint64]string{5: "Z", 3: "X", 1<<32 - 1: "Y", 1<<64 - 1: "Y", 4: "", 1<<32 + 3: ""} {
		if got := names.Name(v); got != want {
			t.Errorf("the name of %d is %q, want %q", v, got, want)
		}
	}
	for i, want := range []string{"Z", "Y", "X", "W"} {
		if got := names.Members[i].Name; got != want {
			t.Errorf("value %d is %s, want %s: not in the order of the text", i, got, want)
		}
	}
}

func TestSeveralTextsShareNames(t *testing.T) {
	s, err := types.ParseAll(
		syntax.Source{File: "a.x", Text: "struct A { B b; uint32_t n; }; typedef unsigned int uint32_t; const X = 3;"},
		syntax.Source{File: "dir/b.x", Text: "struct B { int i<X>; }; typedef unsigned int uint32_t; const X = 3;", Key: "Other"},
	)
	if err != nil {
		t.Fatal(err)
	}
	if got := describe(s.Type("A")); got != "struct {b struct {i array<3> of int}; n unsigned int}" {
		t.Errorf("A is %s", got)
	}
	var keys []string
	for f := range s.Fields() {
		keys = append(keys, f.Key)
	}
	if want := []string{"a.a.b", "a.a.n", "other.b.i"}; !slices.Equal(keys, want) {
		t.Errorf("keys are %q, want %q", keys, want)
	}
	_, err = types.ParseAll(syntax.Source{File: "a.x", Text: "const X = 3;"}, syntax.Source{File: "b.x", Text: "\nconst X = 4;"})
	if want := "b.x:2:7: X is declared twice, first at a.x:1:7\n\tconst X = 4;\n\t      ^"; err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
}

func TestDocsAndKeys(t *testing.T) {
	s, err := types.Parse("x/Proto.x", `
/* Far away. */

/* Says what
 * T is. */
struct T {
	/* Before a. */
	int a;	/* behind a */ bool b;
	struct { hyper inner; } c<>; // c has parts
	union switch (int Disc) { case 1: int armA; default: void; } u;
};
typedef struct { int x; } list<>;
enum E { ONE = 1,	/* the first */
	TWO = 2 };
/* The program. */
program P { version V {
	/* Does it. */
	int DO(T, E) = 1;
} = 1; } = 1;
`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for f := range s.Fields() {
		got = append(got, f.Key+": "+f.Doc)
		if s.Field(f.Key) != f {
			t.Errorf("Field(%q) is another field", f.Key)
		}
	}
	want := []string{
		"proto.t.a: Before a. behind a", "proto.t.b: ", "proto.t.c: c has parts", "proto.t.c.inner: ",
		"proto.t.u: ", "proto.t.u.disc: ", "proto.t.u.arma: ", "proto.list.x: ", "proto.do.arg1: ", "proto.do.arg2: ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("fields are\n%q, want\n%q", got, want)
	}
	for _, d := range []struct{ got, want string }{
		{s.Type("T").Doc, "Says what T is."},
		{s.Type("E").Names.Members[0].Doc, "the first"},
		{s.Programs[0].Doc, "The program."},
		{s.Procedure(1, 1, 1).Doc, "Does it."},
		{s.Type("T").Place.String(), "x/Proto.x:6:8"},
	} {
		if d.got != d.want {
			t.Errorf("got %q, want %q", d.got, d.want)
		}
	}
}

// TestRpcgenTakesTheNotes asks another compiler whether the sample is XDR
// language.
func TestRpcgenTakesTheNotes(t *testing.T) {
	tool, err := exec.LookPath("rpcgen")
	if err != nil {
		t.Skip("rpcgen is not in the path, so it cannot be asked")
	}
	// rpcgen knows neither negative values nor, in its older syntax, several
	// arguments.
	text := strings.NewReplacer(", SERR_NEG = -1", "", "(int, unsigned hyper)", "(int)").Replace(xdrsample.Text)
	file := filepath.Join(t.TempDir(), "sample.x")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(tool, "-h", file).CombinedOutput(); err != nil || strings.Contains(string(out), "error") {
		t.Errorf("rpcgen: %v\n%s", err, out)
	}
}
