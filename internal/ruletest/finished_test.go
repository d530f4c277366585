package ruletest

import (
	"os"
	"slices"
	"testing"
)

// TestUnfinished finds what is still to be written, in any part of a file.
func TestUnfinished(t *testing.T) {
	got := unfinished("id: HDR-018\n# TODO severity\n\n== fires: TODO\nx TODOS\n    // TODO: y\n")
	if want := []gap{{2, "# TODO severity"}, {4, "== fires: TODO"}, {6, "// TODO: y"}}; !slices.Equal(got, want) {
		t.Errorf("unfinished are %v, want %v", got, want)
	}
}

// TestSkeletonIsUnfinished finds gaps in both files that newrule begins a rule with.
func TestSkeletonIsUnfinished(t *testing.T) {
	for _, name := range []string{"hdr000.rule", "hdr000.go"} {
		text, err := os.ReadFile("../newrule/skeleton/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if len(unfinished(string(text))) < 5 {
			t.Errorf("%s seems finished", name)
		}
	}
}
