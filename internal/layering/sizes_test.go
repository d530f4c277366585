package layering

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A size is what the diagram of docs/architecture.md says of some folders: how many thousand
// lines they have together. It is of Go without tests, or of what has a suffix: folder/*.x.
type size struct {
	folders []string
	said    float64
	lines   int
}

// sizeText is a size as the diagram has it: rocev2 + iwarp 8k.
var sizeText = regexp.MustCompile(`([a-z0-9_/.*]+(?: \+ [a-z0-9_/.*]+)*) (\d+(?:\.\d+)?)k\b`)

// sizesOf are the sizes in the diagram of a text: what stands in its first block of code.
func sizesOf(text string) (list []size) {
	parts := strings.SplitN(text, "```\n", 3)
	if len(parts) < 3 {
		return nil
	}
	for _, found := range sizeText.FindAllStringSubmatch(parts[1], -1) {
		said, _ := strconv.ParseFloat(found[2], 64) // digits only
		list = append(list, size{folders: strings.Split(found[1], " + "), said: said})
	}
	return list
}

// sizeFor is the size that a file counts for: that of the innermost folder that has one. It is nil if
// there is none.
func sizeFor(list []size, file string) (of *size) {
	ext := path.Ext(file)
	innermost := -1
	for i := range list {
		for _, folder := range list[i].folders {
			want := ".go"
			if in, suffix, other := strings.Cut(folder, "/*"); other {
				folder, want = in, suffix
			}
			if ext == want && strings.HasPrefix(file, folder+"/") && len(folder) > innermost {
				of, innermost = &list[i], len(folder)
			}
		}
	}
	return of
}

// ofProgram reports whether a file is of the program, and not of its tests and benchmarks; package
// report holds no code.
func ofProgram(file string) bool {
	top, _, _ := strings.Cut(file, "/")
	return top != "lab" && top != "bench" && file != "report/doc.go" && (top != "internal" || slices.Contains(order, path.Dir(file)))
}

// countLines counts the lines of what is in the module for the sizes in a list, and returns the
// files of the program that have none.
func countLines(list []size) (homeless []string, err error) {
	err = eachFile(root, func(file string) error {
		if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "/testdata/") {
			return nil
		}
		of := sizeFor(list, file)
		if of == nil {
			if path.Ext(file) == ".go" && ofProgram(file) {
				homeless = append(homeless, file)
			}
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, file))
		of.lines += bytes.Count(text, []byte("\n"))
		return err
	})
	return homeless, err
}

// staleBy is how far a size may be from what there is, as a part of that.
const staleBy = 0.25

// stale says what is wrong with sizes that were counted.
func stale(list []size) (complaints []string) {
	for _, s := range list {
		is := float64(s.lines) / 1000
		if math.Abs(s.said-is) > staleBy*is || s.lines == 0 {
			complaints = append(complaints, fmt.Sprintf("%s is said to have %gk lines, and has %.1fk", strings.Join(s.folders, " + "), s.said, is))
		}
	}
	return complaints
}

// TestArchitectureSizes holds that the sizes in the diagram of docs/architecture.md are within a
// quarter of what there is, and that they are of the whole program.
func TestArchitectureSizes(t *testing.T) {
	list := sizesOf(architecture(t))
	if len(list) < 20 {
		t.Fatalf("the diagram has %d sizes: they are written as in \"rocev2 + iwarp 8k\"", len(list))
	}
	homeless, err := countLines(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, complaint := range stale(list) {
		t.Errorf("docs/architecture.md: %s", complaint)
	}
	for _, file := range homeless {
		t.Errorf("%s is in no folder of the diagram of docs/architecture.md", file)
	}
	for _, s := range list {
		for _, folder := range s.folders {
			folder, _, _ = strings.Cut(folder, "/*")
			if _, err := os.Stat(filepath.Join(root, folder)); err != nil {
				t.Errorf("the diagram of docs/architecture.md: %v", err)
			}
		}
	}
}

// TestStaleSizesAreSeen shows that TestArchitectureSizes can fail.
func TestStaleSizesAreSeen(t *testing.T) {
	list := sizesOf("```\na 1k ─> a/b + c 2.5k\n d/*.x 3k   e 1k\n```\nf 9k\n")
	if len(list) != 4 || len(list[1].folders) != 2 || list[1].said != 2.5 {
		t.Fatalf("the sizes are read as %v", list)
	}
	for file, want := range map[string]int{"a/x.go": 0, "a/d/x.go": 0, "a/b/x.go": 1, "c/x.go": 1, "ab/x.go": -1, "d/x.x": 2, "d/x.go": -1, "f/x.go": -1} {
		switch of := sizeFor(list, file); {
		case of == nil && want >= 0:
			t.Errorf("%s counts for nothing", file)
		case of != nil && (want < 0 || of != &list[want]):
			t.Errorf("%s counts for %v", file, of.folders)
		}
	}
	list[0].lines, list[1].lines, list[2].lines = 1300, 2000, 4100 // 23 % less, just a quarter more, 27 % less
	if got := stale(list); len(got) != 2 || !strings.HasPrefix(got[0], "d/*.x ") || !strings.HasPrefix(got[1], "e ") {
		t.Errorf("these are stale: %q", got)
	}
}
