package api

import (
	"flag"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the exported API of the packages that are libraries to testdata")

// toDo is what whoever changed an API does about it.
const toDo = "if this is meant, run go test ./internal/api -update, and list it under Unreleased in CHANGELOG.md; if not, undo it: what is removed or changed here, other programs may use"

// load returns the packages that are promised, from what the compiler exports of them.
func load(t *testing.T) (packages []*types.Package) {
	t.Helper()
	exported := make(map[string]string)
	for _, p := range goList(t, append([]string{"-export", "-deps"}, importPaths(promised)...)...) {
		exported[p.ImportPath] = p.Export
	}
	compiled := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exported[path])
	})
	for _, path := range importPaths(promised) {
		pkg, err := compiled.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, pkg)
	}
	return packages
}

// goldenOf is the file that has the API of a package of the module.
func goldenOf(name string) string {
	return filepath.Join("testdata", filepath.FromSlash(name)+".txt")
}

// TestAPI holds that the exported API of each promised package is the one in testdata, and names only
// types of packages that it may name.
func TestAPI(t *testing.T) {
	for i, pkg := range load(t) {
		name := promised[i]
		lines, named := render(pkg)
		for _, other := range named {
			if !mayName(other.Path()) {
				t.Errorf("%s names types of %s, which is not promised", name, other.Path())
			}
		}
		if *update {
			write(t, goldenOf(name), lines)
			continue
		}
		text, err := os.ReadFile(goldenOf(name))
		if err != nil {
			t.Errorf("%v: go test ./internal/api -update writes it", err)
			continue
		}
		golden := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		if changes := difference(golden, lines); changes != "" {
			t.Errorf("the exported API of %s has changed:\n%s%s", name, changes, toDo)
		}
	}
}

// mayName reports whether the API of a promised package may name types of another package: of one
// that is promised too, of the standard library, or of gopacket.
func mayName(path string) bool {
	if name, ours := strings.CutPrefix(path, module+"/"); ours {
		return slices.Contains(promised, name)
	}
	first, _, _ := strings.Cut(path, "/")
	const gopacket = "github.com/google/gopacket"
	return !strings.Contains(first, ".") || path == gopacket || strings.HasPrefix(path, gopacket+"/")
}

// TestNamedPackages holds which packages' types the API may name.
func TestNamedPackages(t *testing.T) {
	for path, want := range map[string]bool{
		module + "/field": true, module + "/fields": false, module + "/internal/query": false, "net/netip": true,
		"golang.org/x/net/bpf": false, "github.com/google/gopacket/layers": true, "github.com/google/gopackets": false,
	} {
		if mayName(path) != want {
			t.Errorf("types of %s may be named: %t, want %t", path, !want, want)
		}
	}
}

// write writes the API of a package.
func write(t *testing.T, golden string, lines []string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(golden), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(golden, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestNoOtherFiles holds that testdata has no file of a package that is not promised any more.
func TestNoOtherFiles(t *testing.T) {
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		isIt := func(name string) bool { return path == goldenOf(name) }
		if err == nil && !d.IsDir() && !slices.ContainsFunc(promised, isIt) {
			t.Errorf("%s is of no promised package: delete it", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
