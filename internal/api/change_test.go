package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// source is a package with each kind of thing that an API has.
const source = `package p

const (
	A Kind = iota
	hidden
	C
)

const Text = "a"

type (
	Kind uint8
	Other = Kind
	Record struct { inner; Size int; note string }
	inner struct { Depth int }
	Source interface { Next(into *Record) error; close() }
	List []Record
)

func (k Kind) String() string { return "" }
func (r *Record) Decode(data []byte, more ...int) (n int, err error) { return 0, nil }
func (inner) Close() error { return nil }
func (r *Record) private() {}

func Open(path string, tell func(of Kind)) *Record { return nil }
func Max[T ~int](a, b T) T { return a }
func private() {}

var Default Record
`

// apiOf is the API of a source.
func apiOf(t *testing.T, text string) []string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("example.com/p", files, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	lines, _ := render(pkg)
	return lines
}

// TestRender holds how each kind of thing is rendered.
func TestRender(t *testing.T) {
	want := []string{
		`const A Kind = 0`,
		`const C Kind = 2`,
		`const Text untyped string = "a"`,
		`func Max[T ~int](a T, b T) T`,
		`func Open(string, func(Kind)) *Record`,
		`method (*Record) Decode([]byte, ...int) (int, error)`,
		`method (Kind) String() string`,
		`method (Record) Close() error`,
		`type Kind uint8`,
		`type List []Record`,
		`type Other = Kind`,
		`type Record struct`,
		`type Record struct, Depth int`,
		`type Record struct, Size int`,
		`type Record struct, comparable`,
		`type Record struct, unexported fields`,
		`type Source interface`,
		`type Source interface, Next(*Record) error`,
		`type Source interface, unexported methods`,
		`var Default Record`,
	}
	if got := apiOf(t, source); !slices.Equal(got, want) {
		t.Errorf("the API is rendered with these differences:\n%s", difference(want, got))
	}
}

// TestChangesAreSeen shows that TestAPI can fail, and what it does not mind.
func TestChangesAreSeen(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"added", "var Default", "var More, Default", "+ var More Record\n"},
		{"removed", "func Open(path string, tell func(of Kind)) *Record { return nil }", "", "- func Open(string, func(Kind)) *Record\n"},
		{"signature", "(data []byte, more ...int)", "(data string, more ...int)",
			"- method (*Record) Decode([]byte, ...int) (int, error)\n+ method (*Record) Decode(string, ...int) (int, error)\n"},
		{"receiver", "func (k Kind) String", "func (k *Kind) String", "+ method (*Kind) String() string\n- method (Kind) String() string\n"},
		{"value of a constant", "\thidden\n", "", "+ const C Kind = 1\n- const C Kind = 2\n"},
		{"no longer comparable", "note string", "note []byte", "- type Record struct, comparable\n"},
		{"field", "Size int", "Size int64", "- type Record struct, Size int\n+ type Record struct, Size int64\n"},
		{"method of an interface", "close() }", "close(); Close() error }", "+ type Source interface, Close() error\n"},
		{"unexported", "func private() {}", "func another() {}", ""},
		{"name of a parameter", "data []byte", "from []byte", ""},
		{"name of a function's parameter", "tell func(of Kind)", "tell func(kind Kind)", ""},
	} {
		changed := strings.Replace(source, c.old, c.new, 1)
		if changed == source {
			t.Errorf("%s: %q is not in the source", c.name, c.old)
		}
		if got := difference(apiOf(t, source), apiOf(t, changed)); got != c.want {
			t.Errorf("%s: the difference is\n%snot\n%s", c.name, got, c.want)
		}
	}
}
