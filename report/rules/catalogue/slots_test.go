package catalogue

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestSlots holds that each slot has a Keeping of its own among those of its kind, so that what is kept
// there is always of one type, and that a Keeping is there for something.
func TestSlots(t *testing.T) {
	kinds := map[string]bool{"ConnSlot": true, "CaptureSlot": true, "CrossSlot": true, "RefSlot": true}
	type place struct{ kind, keeping string }
	declared, used := make(map[place]token.Position), make(map[string]bool)
	files := token.NewFileSet()
	each := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if strings.HasPrefix(n.Sel.Name, "Keeps") {
				used[n.Sel.Name] = true
			}
		case *ast.CallExpr:
			slot, ok := n.Fun.(*ast.IndexExpr)
			if !ok {
				return true
			}
			kind, ok := slot.X.(*ast.SelectorExpr)
			if !ok || !kinds[kind.Sel.Name] {
				return true
			}
			keeping, ok := n.Args[0].(*ast.SelectorExpr)
			if !ok {
				t.Errorf("%v: the Keeping of a slot is not named", files.Position(n.Pos()))
				return true
			}
			at := place{kind.Sel.Name, keeping.Sel.Name}
			if other, ok := declared[at]; ok {
				t.Errorf("%v: another %s at %s is declared at %v", files.Position(n.Pos()), at.kind, at.keeping, other)
			}
			declared[at] = files.Position(n.Pos())
		}
		return true
	}
	root := os.DirFS("..")
	walk := func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
		if err == nil {
			ast.Inspect(f, each)
		}
		return err
	}
	if err := fs.WalkDir(root, ".", walk); err != nil {
		t.Fatal(err)
	}
	if len(declared) < 40 {
		t.Fatalf("only %d slots are found", len(declared))
	}
	connections := true // as far as ofConns
	for _, name := range keepings(t, files) {
		connections = connections && name != "ofConns"
		if at, ok := declared[place{"ConnSlot", name}]; ok && !connections {
			t.Errorf("%v: %s is no place of connections", at, name)
		}
		if strings.HasPrefix(name, "Keeps") && !used[name] && name != "KeepsTest" {
			t.Errorf("nothing is kept at %s", name)
		}
	}
}

// keepings are the names of all of them, and of what separates them, in their order.
func keepings(t *testing.T, files *token.FileSet) (list []string) {
	f, err := parser.ParseFile(files, "../knowledge.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			list = append(list, v.Names[0].Name)
		}
		return true
	})
	if len(list) < 30 || !slices.Contains(list, "ofConns") {
		t.Fatalf("not the names that are expected: %v", list)
	}
	return list
}
