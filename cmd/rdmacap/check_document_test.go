package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestWithoutCapture holds that who parses the output gets a document, though the
// capture cannot be opened.
func TestWithoutCapture(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.pcap")
	for _, format := range []string{"json", "ndjson", "sarif"} {
		r := rdmacap("check", "--format", format, path)
		if r.status != exitUnusable || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: status %d, %q", format, r.status, r.err)
		}
		if !json.Valid([]byte(r.out)) {
			t.Errorf("%s: %q is no document", format, r.out)
		}
		if want := map[string]string{"sarif": `"executionSuccessful":false`}[format]; !strings.Contains(r.out, want) {
			t.Errorf("%s: %q lacks %s", format, r.out, want)
		}
	}
	for _, command := range []string{"check", "read", "stats"} {
		if r := rdmacap(command, path); r.out != "" {
			t.Errorf("%s, text: %q", command, r.out)
		}
		if r := rdmacap(command, "--format", "json", path); r.status != exitUnusable || !json.Valid([]byte(r.out)) || !strings.Contains(r.out, `"type":"summary"`) {
			t.Errorf("%s: status %d, %q is no document", command, r.status, r.out)
		}
	}
}
