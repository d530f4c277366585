package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkReport runs report beside check on a capture: of a long one the report may
// take half as long again. RDMACAP_BENCH names such a capture; in the real one that
// ships, evidence takes most of the time, of which a longer one has not much more.
func BenchmarkReport(b *testing.B) {
	path := os.Getenv("RDMACAP_BENCH")
	if path == "" {
		path = filepath.Join(b.TempDir(), "rxe-basic.pcap")
		unpack(b, filepath.Join("..", "..", "samples", "rxe-basic.pcap.zst"), path)
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	out := filepath.Join(b.TempDir(), "out.html")
	for name, args := range map[string][]string{"check": {"check", "-q", path}, "report": {"report", "-q", path, "-o", out}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(info.Size())
			for b.Loop() {
				var rows counting
				var complaints bytes.Buffer
				if code := run(b.Context(), args, streams{out: &rows, err: &complaints}); code == exitUnusable {
					b.Fatalf("exit status %d: %s", code, &complaints)
				}
			}
		})
	}
}
