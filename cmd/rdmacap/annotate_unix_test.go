//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestAnnotatePipe holds that a pipe, which can be read once, is refused.
func TestAnnotatePipe(t *testing.T) {
	dir := t.TempDir()
	fifo, out := filepath.Join(dir, "fifo"), filepath.Join(dir, "out")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	r := rdmacap("annotate", fifo, "-o", out)
	if r.status != exitUnusable || r.out != "" || !strings.HasPrefix(r.err, "rdmacap: "+fifo+": not a regular file: ") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Lstat(out); !os.IsNotExist(err) {
		t.Error("something was written")
	}
}

// TestAnnotateFull holds that nothing is left of a copy that could not be written.
func TestAnnotateFull(t *testing.T) {
	dir := t.TempDir()
	// The limit holds for the whole process, so it is one of its own.
	cmd := exec.Command(os.Args[0], "-test.run=^TestAnnotateIntoLittle$")
	cmd.Env = append(os.Environ(), "ANNOTATE_INTO="+filepath.Join(dir, "out"))
	if printed, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestAnnotateIntoLittle is what TestAnnotateFull runs.
func TestAnnotateIntoLittle(t *testing.T) {
	out := os.Getenv("ANNOTATE_INTO")
	if out == "" {
		t.Skip("TestAnnotateFull runs it")
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 100_000, Max: 100_000}); err != nil {
		t.Fatal(err)
	}
	r := rdmacap("annotate", sample("rxe-ipv6"), "-o", out)
	if r.status != exitUnusable || r.out != "" || r.err != "rdmacap: "+out+": file too large\n" {
		t.Errorf("%+v", r)
	}
}
