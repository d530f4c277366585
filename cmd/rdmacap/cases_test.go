package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestCases holds that what once drew false alarms draws none: no error is certain in
// captures in which no peer does wrong.
func TestCases(t *testing.T) {
	dir := filepath.Join("..", "..", "samples", "cases")
	paths, err := filepath.Glob(filepath.Join(dir, "*.pcap"))
	if err != nil || len(paths) < 8 {
		t.Fatalf("%d captures, %v", len(paths), err)
	}
	runs := [][]string{{filepath.Join(dir, "ring-1.pcap"), filepath.Join(dir, "ring-2.pcap")}}
	for _, p := range paths {
		runs = append(runs, []string{p})
	}
	for _, files := range runs {
		r := rdmacap(append([]string{"check", "--format", "ndjson", "--fail-on", "never"}, files...)...)
		if r.status != exitDone || r.err != "" || !strings.Contains(r.out, `"type":"summary"`) {
			t.Errorf("%v: %+v", files, r)
		}
		for line := range strings.Lines(r.out) {
			if strings.Contains(line, `"type":"finding"`) && strings.Contains(line, `"severity":"error"`) && strings.Contains(line, `"certainty":"certain"`) {
				t.Errorf("%v: %s", files, line)
			}
		}
	}
}
