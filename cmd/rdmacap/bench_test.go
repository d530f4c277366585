package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// BenchmarkRead runs the whole command on a real capture, not compressed, with
// its rows to nowhere. To compare it with tshark there is bench/compare.
func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "rxe-basic.pcap")
	size := unpack(b, filepath.Join("..", "..", "samples", "rxe-basic.pcap.zst"), path)
	for _, format := range []string{"text", "ndjson"} {
		b.Run(format, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				var rows counting
				var complaints bytes.Buffer
				if code := run(b.Context(), []string{"read", "--quiet", "--format", format, path}, streams{out: &rows, err: &complaints}); code != exitDone {
					b.Fatalf("exit status %d: %s", code, &complaints)
				}
				if rows.lines < 500 {
					b.Fatalf("%d rows", rows.lines)
				}
			}
		})
	}
}

// BenchmarkProfile does what the profile for the compiler is of: check and read, the latter in its
// two forms and of frames, on one capture of RoCEv2 and one of iWARP.
//
//	go test -run '^$' -bench Profile -benchtime 15s -cpuprofile cmd/rdmacap/rdmacap.pgo ./cmd/rdmacap
func BenchmarkProfile(b *testing.B) {
	folder := b.TempDir()
	var lines [][]string
	for _, sample := range []string{"rxe-basic", "siw-basic"} {
		path := filepath.Join(folder, sample+".pcap")
		unpack(b, filepath.Join("..", "..", "samples", sample+".pcap.zst"), path)
		lines = append(lines, []string{"check", "--quiet", path}, []string{"check", "--quiet", "--format", "ndjson", path},
			[]string{"read", "--quiet", path}, []string{"read", "--quiet", "--format", "ndjson", path},
			[]string{"read", "--quiet", "--level", "frame", "--format", "ndjson", path})
	}
	for b.Loop() {
		for _, args := range lines {
			var complaints bytes.Buffer
			if code := run(b.Context(), args, streams{out: new(counting), err: &complaints}); code == exitUnusable {
				b.Fatalf("%q: %s", args, &complaints)
			}
		}
	}
}

// counting throws away what is written, and counts the lines.
type counting struct{ lines int }

func (c *counting) Write(p []byte) (int, error) {
	c.lines += bytes.Count(p, []byte{'\n'})
	return len(p), nil
}

// unpack writes a capture uncompressed and returns its size in bytes.
func unpack(b *testing.B, from, to string) int64 {
	b.Helper()
	packed, err := os.Open(from)
	if err != nil {
		b.Fatal(err)
	}
	defer packed.Close()
	r, err := zstd.NewReader(packed)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	file, err := os.Create(to)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	n, err := io.Copy(file, r)
	if err != nil {
		b.Fatal(err)
	}
	return n
}
