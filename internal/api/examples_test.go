package api

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// TestExamples holds that each promised package has an example whose output is compared.
func TestExamples(t *testing.T) {
	for _, p := range goList(t, importPaths(promised)...) {
		paths, err := filepath.Glob(filepath.Join(p.Dir, "example*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		var files []*ast.File
		for _, path := range paths {
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		if comparedExamples(files) == 0 {
			t.Errorf("%s has no example with an output", p.ImportPath)
		}
	}
}

// comparedExamples counts the examples that go test runs.
func comparedExamples(files []*ast.File) (n int) {
	for _, e := range doc.Examples(files...) {
		if e.Output != "" {
			n++
		}
	}
	return n
}

// TestExamplesWithoutOutputDoNotCount shows that TestExamples can fail.
func TestExamplesWithoutOutputDoNotCount(t *testing.T) {
	for source, want := range map[string]int{
		"package p\n\nfunc Example() {\n\tprintln(1)\n}\n":                                         0,
		"package p\n\nfunc Example() {\n\tprintln(1)\n\t// Output: 1\n}\n":                         1,
		"package p\n\nfunc ExampleX() {\n\t// Output: 1\n}\n\nfunc TestX() {\n\t// Output: 1\n}\n": 1,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "p_test.go", source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := comparedExamples([]*ast.File{file}); got != want {
			t.Errorf("%d examples, not %d, in\n%s", got, want, source)
		}
	}
}
