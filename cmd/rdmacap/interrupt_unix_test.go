//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// interrupted runs a command on a pipe that does not end: it writes a part of a sample,
// interrupts the command, and returns what that did.
func interrupted(t *testing.T, args ...string) result {
	t.Helper()
	in, feed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer feed.Close()
	var out, diag bytes.Buffer
	r := start(t, streams{in: in, out: &out, err: &diag}, args...)
	data := unpacked(t, "rxe-cb")
	data = data[:len(data)*3/4+5] // into a record
	// A pipe holds less than that, so it is being read when all is written.
	if _, err := feed.Write(data); err != nil {
		t.Fatal(err)
	}
	r.interrupt()
	status := r.wait(t)
	return result{out.String(), diag.String(), status}
}

// TestInterrupted holds that commands which read a pipe write what they found when they
// are interrupted: as much as of a file that ends there.
func TestInterrupted(t *testing.T) {
	data := unpacked(t, "rxe-cb")
	data = data[:len(data)*3/4+5]
	if len(data) < 72<<10 {
		t.Fatalf("%d bytes fit in a pipe", len(data))
	}
	dir := t.TempDir()
	part := filepath.Join(dir, "part.pcap")
	if err := os.WriteFile(part, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"read", "--format", "ndjson"},
		{"read", "--level", "frame"},
		{"check", "--format", "ndjson"},
		{"check", "--fail-on", "note", "--all"},
		{"check", "--format", "sarif"},
		{"stats", "--format", "ndjson"},
	} {
		want := rdmacap(append(args, part)...)
		got := interrupted(t, append(args, "-")...)
		if got.status != exitInterrupted || got.err != "rdmacap: interrupted: partial results follow; interrupt again after a second to quit at once\n" {
			t.Errorf("%q: status %d, standard error %q", args, got.status, got.err)
		}
		if args[len(args)-1] == "sarif" {
			if !json.Valid([]byte(got.out)) || !strings.Contains(got.out, "reading was interrupted") {
				t.Errorf("%q: no whole log that says so: %s", args, got.out)
			}
			continue
		}
		if a, b := tookTime.removedFrom(got.out), tookTime.removedFrom(want.out); a != b || len(a) < 1000 {
			t.Errorf("%q: %d bytes, want %d of a file that ends there:\n%s", args, len(a), len(b), differing(a, b))
		}
	}
	page := filepath.Join(dir, "page.html")
	got := interrupted(t, "report", "-", "-o", page)
	if text, err := os.ReadFile(page); err != nil || got.status != exitInterrupted || !bytes.Contains(text, []byte("reading was interrupted")) {
		t.Errorf("report: %v, %+v, a page of %d bytes", err, got, len(text))
	}
	datasets := filepath.Join(dir, "datasets")
	got = interrupted(t, "export", "parquet", "-", "-o", datasets)
	if got.status != exitInterrupted || got.out != "" || got.err != "rdmacap: interrupted: nothing is written\n" {
		t.Errorf("export parquet: %+v", got)
	}
	err := filepath.WalkDir(datasets, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			t.Errorf("export parquet: %s is there", path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestInterruptedFIFO interrupts commands that read a FIFO: before anybody writes it, and in
// the middle, where they have what came until then.
func TestInterruptedFIFO(t *testing.T) {
	data := unpacked(t, "rxe-cb")
	data = data[:len(data)*3/4+5] // into a record, and more than a FIFO holds
	part := write(t, "part.pcap", data)
	for _, command := range []string{"read", "check", "stats"} {
		path := filepath.Join(t.TempDir(), "fifo")
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, written := range []bool{false, true} {
			var out, diag bytes.Buffer
			r := start(t, streams{out: &out, err: &diag}, command, "--format", "ndjson", path)
			// To open it waits for whoever reads it.
			feed, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if written {
				if _, err := feed.Write(data); err != nil {
					t.Fatal(err)
				}
			}
			r.interrupt()
			if s := r.wait(t); s != exitInterrupted || !strings.HasPrefix(diag.String(), "rdmacap: interrupted: ") || strings.Count(diag.String(), "\n") != 1 {
				t.Errorf("%s: status %d, standard error %q", command, s, &diag)
			}
			if want := rdmacap(command, "--format", "ndjson", part).out; written && tookTime.removedFrom(out.String()) != tookTime.removedFrom(want) {
				t.Errorf("%s: %d bytes, want %d:\n%s", command, out.Len(), len(want), differing(out.String(), want))
			}
			feed.Close()
		}
	}
}
