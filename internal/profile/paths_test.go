package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func compressed(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func unpacked(t *testing.T, packed []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestWithoutPaths(t *testing.T) {
	// A sample of two octets, three strings, a number.
	const before = "\x12\x02ab" + "\x32\x00" + "\x32\x0c/home/u/x.go" + "\x32\x09pkg/a.Fun" + "\x48\xac\x02"
	const after = "\x12\x02ab" + "\x32\x00" + "\x32\x04x.go" + "\x32\x09pkg/a.Fun" + "\x48\xac\x02"
	got, err := withoutPaths(compressed(t, []byte(before)))
	if err != nil {
		t.Fatal(err)
	}
	if string(unpacked(t, got)) != after {
		t.Errorf("got %q, want %q", unpacked(t, got), after)
	}
	for _, bad := range []string{"\x32", "\x32\x05abc", "\x35\x01\x02\x03\x04", "\x80"} {
		if _, err := withoutPaths(compressed(t, []byte(bad))); err == nil {
			t.Errorf("%q is taken for a profile", bad)
		}
	}
}

// What is kept holds nobody's paths, and is small.
func TestProfileHasNoPaths(t *testing.T) {
	packed, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(profile)))
	if err != nil {
		t.Fatal(err)
	}
	again, err := withoutPaths(packed)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(unpacked(t, again), unpacked(t, packed)) {
		t.Error("there are paths in it: make it by go run ./internal/profile")
	}
	if len(packed) > 200<<10 {
		t.Errorf("it has %d octets", len(packed))
	}
}
