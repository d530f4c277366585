package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/families"
)

// root is the root of the repository.
const root = "../.."

// howto is the page about adding rules.
func howto(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs/rules-howto.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// exampleTest runs the samples of a rule in the package of its family, whose other rules they may mention.
const exampleTest = `package %[1]s

import (
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/rules"
)

func TestExample(t *testing.T) {
	ruletest.Run(t, append(Rules(), rules.Documented("the page", %[2]q, %[3]s())), %[4]q)
}
`

// TestExample compiles the rule of docs/rules-howto.md in the package of its family, and runs its samples. The rule is
// laid over the package: it is in no directory of the repository.
func TestExample(t *testing.T) {
	text := howto(t)
	id := regexp.MustCompile(`(?m)^id: (.*)$`).FindStringSubmatch(text)
	document := regexp.MustCompile("(?s)```rule\n(.*?)```").FindStringSubmatch(text)
	code := regexp.MustCompile("(?s)```go\n(.*?)```").FindStringSubmatch(text)
	if id == nil || document == nil || code == nil {
		t.Fatal("docs/rules-howto.md has no example")
	}
	f, number, ok := families.Of(id[1])
	if !ok {
		t.Fatalf("the example is %s", id[1])
	}
	function := f.Function(number)
	if out, err := overlaid(t, f.Package, "TestExample", map[string]string{
		function + ".go":          code[1],
		"example_overlay_test.go": fmt.Sprintf(exampleTest, f.Package, document[1], function, id[1]),
	}); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestTableNamesWhatThereIs requires that whatever the table of docs/rules-howto.md says to declare or call is in package
// rules or finding, that the files it links to are there, and that an example uses the first name of its row.
func TestTableNamesWhatThereIs(t *testing.T) {
	sources := sourcesOf(t, rulesDir) + sourcesOf(t, "report/finding") + sourcesOf(t, "dissect")
	name, link, example := regexp.MustCompile("`([A-Z][A-Za-z]+)`"), regexp.MustCompile(`\]\(\.\./([^)]+)\)`), regexp.MustCompile(`\b[A-Z][A-Z0-9]+-\d{3}\b`)
	rows := 0
	for _, line := range strings.Split(howto(t), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.Contains(cells[3], "](") {
			continue
		}
		rows++
		names := name.FindAllStringSubmatch(cells[2], -1)
		for _, n := range names {
			if !regexp.MustCompile(`\b` + n[1] + `\b`).MatchString(sources) {
				t.Errorf("%s is not in report/rules", n[1])
			}
		}
		for _, l := range link.FindAllStringSubmatch(cells[3], -1) {
			if _, err := os.Stat(filepath.Join(root, l[1])); err != nil {
				t.Error(err)
			}
		}
		for _, id := range example.FindAllString(cells[3], -1) {
			f, number, ok := families.Of(id)
			if !ok || len(names) == 0 {
				t.Errorf("%s is an example of nothing", id)
				continue
			}
			code, err := os.ReadFile(filepath.Join(root, rulesDir, f.Package, f.Function(number)+".go"))
			if err != nil || !strings.Contains(string(code), names[0][1]) {
				t.Errorf("%s is no example of %s (%v)", id, names[0][1], err)
			}
		}
	}
	if rows < 25 {
		t.Errorf("the table has %d rows", rows)
	}
}

// sourcesOf returns the text of the Go files in a directory.
func sourcesOf(t *testing.T, dir string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %d files, %v", dir, len(paths), err)
	}
	var b strings.Builder
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
	}
	return b.String()
}
