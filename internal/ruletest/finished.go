package ruletest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Finished requires that the rules in a directory have no placeholder of newrule left: in no document and
// in no check does anything say TODO.
func Finished(t *testing.T, dir string) {
	documents, err := filepath.Glob(filepath.Join(dir, "*.rule"))
	if err != nil || len(documents) == 0 {
		t.Fatalf("%d documents of rules in %s, %v", len(documents), dir, err)
	}
	for _, path := range documents {
		for _, name := range []string{path, strings.TrimSuffix(path, ".rule") + ".go"} {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range unfinished(string(text)) {
				t.Errorf("%s:%d: unfinished: %s", name, at.number, at.text)
			}
		}
	}
}

// A gap is a line that is still to be written.
type gap struct {
	number int // from 1
	text   string
}

// unfinished returns the lines of a text that have a TODO.
func unfinished(text string) (list []gap) {
	todo := regexp.MustCompile(`\bTODO\b`)
	for i, line := range strings.Split(text, "\n") {
		if todo.MatchString(line) {
			list = append(list, gap{i + 1, strings.TrimSpace(line)})
		}
	}
	return list
}
