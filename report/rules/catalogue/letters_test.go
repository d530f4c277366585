package catalogue_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/families"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// TestLetters holds the letters in the source of the rules against the cases that they
// declare: in the file of a rule only those of its own cases stand, in the others of a
// family's folder only such as one of the family has. What is reported while tests run is held
// against them too (ruletest.Check).
func TestLetters(t *testing.T) {
	cases := make(map[string]string) // letters, by the name of the rule's file and by its folder
	for _, r := range catalogue.All() {
		f, number, ok := families.Of(r.ID)
		if !ok {
			t.Fatalf("%s is of no family", r.ID)
		}
		folder := f.Package
		for _, c := range r.Cases {
			cases[folder] += c.Letter
			cases[folder+number] += c.Letter
		}
		cases[folder+number] += "" // it is there, also without cases
	}
	files, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, path := range files {
		folder, file := filepath.Base(filepath.Dir(path)), strings.TrimSuffix(filepath.Base(path), ".go")
		allowed, ok := cases[folder]
		if own, is := cases[file]; is {
			allowed, ok = own, true
			looked++
		}
		if !ok || strings.HasSuffix(file, "_test") {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if x, is := n.(*ast.BasicLit); is && x.Kind == token.STRING {
				if s, err := strconv.Unquote(x.Value); err == nil && len(s) == 1 && s[0] >= 'a' && s[0] <= 'z' && !strings.Contains(allowed, s) {
					t.Errorf("%s: there is no case %q", set.Position(x.Pos()), s)
				}
			}
			return true
		})
	}
	if want := len(catalogue.All()); looked != want {
		t.Errorf("%d files of rules were looked at, and there are %d rules", looked, want)
	}
}
