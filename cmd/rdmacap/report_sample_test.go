package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The page that ships is what the program writes, with the command that the README
// names.
func TestReportSample(t *testing.T) {
	t.Chdir("../..") // the page names the capture as it was given
	t.Setenv("SOURCE_DATE_EPOCH", "0")
	const shipped = "docs/report-rxe-loss.html"
	out := filepath.Join(t.TempDir(), "out.html")
	must(t, "report", "-q", "samples/rxe-loss.pcap.zst", "-o", out)
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(shipped, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the program writes: go test ./cmd/rdmacap -run ReportSample -update", shipped)
	}
}
