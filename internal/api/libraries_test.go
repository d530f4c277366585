package api

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/rdmacap/rdmacap"

// promised are the packages that are meant for other programs too. What a type, function or
// variable of one names is of one too, of the standard library or of gopacket.
var promised = []string{
	"capture",
	"capture/link",
	"dissect/xdr",
	"field",
	"filter",
	"iwarp",
	"iwarp/layers",
	"rocev2",
	"rocev2/layers",
}

// withoutPromise are the folders whose packages others can import but had better not: they change
// with the program. Promised ones in them are excepted.
var withoutPromise = []string{"capture", "dissect", "report"}

// unplanned are those of some importable packages that are neither promised nor in a folder without
// promise.
func unplanned(importable []string) (list []string) {
	for _, name := range importable {
		inFolder := func(folder string) bool { return name == folder || strings.HasPrefix(name, folder+"/") }
		if !slices.Contains(promised, name) && !slices.ContainsFunc(withoutPromise, inFolder) {
			list = append(list, name)
		}
	}
	return list
}

// TestImportablePackages holds that each package that other programs can import is promised, or in a
// folder whose packages are not.
func TestImportablePackages(t *testing.T) {
	var importable []string
	for _, p := range goList(t, module+"/...") {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		internal := slices.Contains(strings.Split(name, "/"), "internal")
		if p.Name != "main" && !internal && len(p.GoFiles) > 0 {
			importable = append(importable, name)
		}
	}
	for _, name := range unplanned(importable) {
		t.Errorf("other programs can import %s: move it to internal, or decide what it promises, in libraries_test.go, README.md and docs/architecture.md", name)
	}
	for _, name := range promised {
		if !slices.Contains(importable, name) {
			t.Errorf("%s is promised, and cannot be imported", name)
		}
	}
	for _, folder := range withoutPromise {
		if !slices.ContainsFunc(importable, func(name string) bool { return strings.HasPrefix(name, folder+"/") }) {
			t.Errorf("%s has no packages", folder)
		}
	}
}

// TestUnplannedPackagesAreSeen shows that TestImportablePackages can fail.
func TestUnplannedPackagesAreSeen(t *testing.T) {
	got := unplanned([]string{"field", "fields", "field/more", "report", "report/new", "reports", "capture/link", "capture/new"})
	if want := []string{"fields", "field/more", "reports"}; !slices.Equal(got, want) {
		t.Errorf("unplanned are %v, not %v", got, want)
	}
}

// listedIn are the packages that a text lists in a table of import paths.
func listedIn(text string) (names []string) {
	for _, row := range regexp.MustCompile("(?m)^\\| `"+module+"/([^`]+)` \\|").FindAllStringSubmatch(text, -1) {
		names = append(names, row[1])
	}
	slices.Sort(names)
	return names
}

// TestListed holds that README.md lists the promised packages, and no other.
func TestListed(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if got := listedIn(string(readme)); !slices.Equal(got, promised) {
		t.Errorf("README.md lists %v, not %v", got, promised)
	}
	if got := listedIn("| `" + module + "/b` | b |\n| `" + module + "/a/c` | c |\nand `" + module + "/d`\n"); !slices.Equal(got, []string{"a/c", "b"}) {
		t.Errorf("a table of b and a/c is read as %v", got)
	}
}
