package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/rdmacap/rdmacap/internal/shipped"
)

// BenchmarkProfile runs the commands that the time of people goes into, check
// twice as often as others, over samples that come again and again. Its profile,
// which internal/profile keeps, is what the compiler takes for hot in rdmacap.
func BenchmarkProfile(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	var paths []string
	for _, name := range []string{"rxe-basic", "siw-basic"} {
		paths = append(paths, repeated(b, name, 20))
	}
	commands := [][]string{
		{"check", "--quiet", "--fail-on", "never"},
		{"check", "--quiet", "--fail-on", "never"},
		{"read", "--quiet"},
		{"read", "--quiet", "--format", "ndjson"},
	}
	for b.Loop() {
		for _, command := range commands {
			for _, path := range paths {
				args := append(command[:len(command):len(command)], path)
				if status := run(args, streams{nil, io.Discard, io.Discard}); status != exitDone {
					b.Fatalf("%q: exit status %d", args, status)
				}
			}
		}
	}
}

// repeated writes a file in which the frames of a sample come again and again.
func repeated(b *testing.B, name string, times int) (path string) {
	b.Helper()
	path = filepath.Join(b.TempDir(), name+".pcap")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	const header = 24 // octets of a pcap file's header
	one := shipped.Whole(b, name)
	write := func(octets []byte) {
		if _, err := file.Write(octets); err != nil {
			b.Fatal(err)
		}
	}
	write(one[:header])
	for range times {
		write(one[header:])
	}
	return path
}
