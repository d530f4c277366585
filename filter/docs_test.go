package filter

import (
	"os"
	"strings"
	"testing"
)

// TestExamplesOfTheDocument compiles each expression that docs/filter.md shows
// in a block of its own, up to the comment after it.
func TestExamplesOfTheDocument(t *testing.T) {
	document, err := os.ReadFile("../docs/filter.md")
	if err != nil {
		t.Fatal(err)
	}
	set := testSet(t)
	n := 0
	for i, block := range strings.Split(string(document), "```filter\n") {
		if i == 0 {
			continue
		}
		block, _, _ = strings.Cut(block, "```")
		for line := range strings.Lines(block) {
			expr, _, _ := strings.Cut(line, "  # ")
			if _, err := set.Compile(strings.TrimSpace(expr)); err != nil {
				t.Errorf("%v", err)
			}
			n++
		}
	}
	if n < 20 {
		t.Errorf("%d examples", n)
	}
}

// TestErrorsOfTheDocument finds each error that docs/filter.md shows among those
// that are checked.
func TestErrorsOfTheDocument(t *testing.T) {
	document, err := os.ReadFile("../docs/filter.md")
	if err != nil {
		t.Fatal(err)
	}
	known, err := os.ReadFile("testdata/errors.txt")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(document), "```error\n")
	if len(blocks) < 2 {
		t.Fatal("no errors are shown")
	}
	for _, block := range blocks[1:] {
		block, _, _ = strings.Cut(block, "```")
		for shown := range strings.SplitSeq(strings.TrimSpace(block), "\n\n") {
			if !strings.Contains(string(known), "\n"+shown+"\n") {
				t.Errorf("not in testdata/errors.txt:\n%s", shown)
			}
		}
	}
}
