package syntax_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
	"github.com/rdmacap/rdmacap/internal/xdrsample"
)

// written writes a type as the text may have it, with its places.
func written(t *syntax.Type) string {
	var b strings.Builder
	limit := t.Limit.Text
	if limit == "" {
		limit = "-"
	}
	switch t.Form {
	case syntax.Basic:
		b.WriteString(t.Word)
	case syntax.Reference:
		b.WriteString("ref " + t.Word)
	case syntax.Opaque, syntax.String:
		fmt.Fprintf(&b, "bytes %v %s", t.Fixed, limit)
	case syntax.Array:
		fmt.Fprintf(&b, "array %v %s of %s", t.Fixed, limit, written(t.Elem))
	case syntax.Optional:
		b.WriteString("optional " + written(t.Elem))
	default:
		fmt.Fprintf(&b, "%v %s {", t.Form, t.Name)
		for _, m := range t.Members {
			fmt.Fprintf(&b, " %s=%s%s", m.Name, m.Value.Text, notes(m.Notes, m.Doc))
		}
		for _, f := range t.Fields {
			b.WriteString(" " + field(&f) + ";")
		}
		for _, l := range t.Labels {
			fmt.Fprintf(&b, " %s:%d", l.Value.Text, l.Field)
		}
		fmt.Fprintf(&b, " default:%d }", t.Default)
	}
	fmt.Fprintf(&b, "@%d:%d", t.Place.Line, t.Place.Column)
	return b.String() + notes(t.Notes, t.Doc)
}

func field(f *syntax.Field) string { return f.Name + " " + written(f.Type) + notes(f.Notes, f.Doc) }

func notes(list []syntax.Note, doc string) (s string) {
	for _, n := range list {
		s += " @" + n.Name
		for _, a := range n.Args {
			s += fmt.Sprintf(" %q(%d:%d)", a.Text, a.Place.Line, a.Place.Column)
		}
	}
	if doc != "" {
		s += fmt.Sprintf(" %q", doc)
	}
	return s
}

// TestTree looks at what is made of declarations.
func TestTree(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"const A = 0x10;\n#define B 7\nconst C = A;", []string{"const B 7 @2:1", "const A 0x10 @1:7", "const C A @3:7"}},
		{"%#define B 7", []string{"const B 7 @1:1"}},
		{"typedef unsigned long int5;", []string{"typedef int5 unsigned int@1:9"}},
		{"typedef nfs_fh *T; /* may be there */", []string{`typedef T optional ref nfs_fh@1:9@1:17 "may be there"`}},
		{"typedef int a[3]; typedef A b<N>; typedef opaque c<>; typedef opaque d[4]; typedef string e<9>;", []string{
			"typedef a array true 3 of int@1:9@1:13", "typedef b array false N of ref A@1:27@1:29", "typedef c bytes false -@1:43", "typedef d bytes true 4@1:63", "typedef e bytes false 9@1:84",
		}},
		{"enum E { A, B = 5, /* @status A */ C = A };", []string{`enum E { A= B=5 C=A default:0 }@1:6 @status "A"(1:31)`}},
		{"enum E { A, /* @rank 3 @prefix P */ B /* last */ };", []string{`enum E { A= @rank "3"(1:22) B= "last" default:0 }@1:6 @prefix "P"(1:32)`}},
		{"struct S { /* about @summary \"x\" \"y\" */ struct { bool b; } in<2>; opaque o<>; /* @eligible RFC 1 @as hex */ };", []string{
			`struct S { in array false 2 of struct  { b bool@1:50; default:0 }@1:41@1:60; o bytes false -@1:67 @eligible "RFC 1"(1:92) @as "hex"(1:102); default:0 }@1:8 @summary "x"(1:31) "y"(1:35) "about"`,
		}},
		{"union U switch (int d) { case 1: case A: int a; default: void; };", []string{"union U { d int@1:17; a int@1:42;  void@1:58; 1:1 A:1 default:2 }@1:7"}},
		{"/* Of old. */\nprogram P { version V { int F(void) = 1; string G(S *, int n) = 2; } = 3; } = 4;", []string{
			`program P 4 "Of old."`, `version V 3`, `F 1 int@2:25 ( void@2:31)`, `G 2 bytes false -@2:42 ( optional ref S@2:51@2:51 n int@2:56)`,
		}},
	} {
		var got []string
		err := read(tt.text, func(d syntax.Decl) {
			switch {
			case d.Const != nil:
				got = append(got, fmt.Sprintf("const %s %s @%d:%d", d.Const.Name, d.Const.Value.Text, d.Const.Place.Line, d.Const.Place.Column))
			case d.Typedef != nil:
				got = append(got, "typedef "+field(d.Typedef))
			case d.Type != nil:
				got = append(got, written(d.Type))
			default:
				got = append(got, "program "+d.Program.Name+" "+d.Program.Number.Text+notes(nil, d.Program.Doc))
				for _, v := range d.Program.Versions {
					got = append(got, "version "+v.Name+" "+v.Number.Text+notes(nil, v.Doc))
					for _, p := range v.Procedures {
						args := ""
						for i := range p.Args {
							args += field(&p.Args[i]) + " "
						}
						got = append(got, fmt.Sprintf("%s %s %s (%s)", p.Name, p.Number.Text, written(p.Result), args[:len(args)-1]))
					}
				}
			}
		})
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: error %v, declarations are\n%s\nwant\n%s", tt.text, err, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

// TestReadAgain reads a text with a Parser that has read another one.
func TestReadAgain(t *testing.T) {
	var p syntax.Parser
	for i, text := range []string{"struct A { int a; };\n/* of the end */", xdrsample.Text, "struct B { bool", "struct C { hyper c; };"} {
		if err := p.Start(&syntax.Source{File: "t.x", Text: text}); err != nil {
			t.Fatal(err)
		}
		d, err := p.Next()
		switch i {
		case 2:
			if err == nil {
				t.Error("half a struct was taken")
			}
		case 3:
			if want := "struct C { c hyper@1:12; default:0 }@1:8"; err != nil || written(d.Type) != want {
				t.Errorf("got %v, %v, want %s", d, err, want)
			}
		}
	}
}

// FuzzParser reads any text: an error has a place, and reading ends.
func FuzzParser(f *testing.F) {
	f.Add(xdrsample.Text)
	f.Add("#ifdef A\n#else\n%#define N 4\ntypedef opaque T[N]; /* @as ipv4 @summary \"[{.}]\" */\n#endif")
	f.Add("program P { version V1 { V F(U, V *) = 1; } = 1; } = 1; ;; const A = -1;")
	f.Fuzz(func(t *testing.T, text string) {
		declared := 0
		err := read(text, func(syntax.Decl) { declared++ })
		if e, ok := err.(*syntax.Error); err != nil && (!ok || e.Line < 1 || e.Column < 1 || e.Reason == "") {
			t.Fatalf("error without a place: %#v", err)
		}
		if declared > len(text) {
			t.Fatalf("%d declarations in %d bytes", declared, len(text))
		}
	})
}
