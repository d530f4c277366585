package ruletest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestUnfinished finds what is still to be written, in any part of a file.
func TestUnfinished(t *testing.T) {
	got := unfinished("id: HDR-018\n# TODO severity\n\n== fires: TODO\nx TODOS\n    // TODO: y\n")
	if want := []gap{{2, "# TODO severity"}, {4, "== fires: TODO"}, {6, "// TODO: y"}}; !slices.Equal(got, want) {
		t.Errorf("unfinished are %v, want %v", got, want)
	}
}

// TestSkeletonIsUnfinished finds gaps in all files that newrule begins a rule with.
func TestSkeletonIsUnfinished(t *testing.T) {
	paths, err := filepath.Glob("../newrule/skeleton/*")
	if err != nil || len(paths) < 8 {
		t.Fatalf("the skeleton is %v, %v", paths, err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(unfinished(string(text))) < 5 {
			t.Errorf("%s seems finished", path)
		}
	}
}
