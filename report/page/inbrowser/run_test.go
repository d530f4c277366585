package inbrowser

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "take the pictures in docs/images anew")

// program is the path of rdmacap, built for these tests.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(runAll(m))
}

func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "rdmacap")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "rdmacap")
	build := exec.Command("go", "build", "-o", program, "../../../cmd/rdmacap")
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	return m.Run()
}

// rdmacap runs a command line, and returns what it wrote and its exit status.
func rdmacap(t *testing.T, args ...string) (out, errs string, status int) {
	t.Helper()
	var o, e bytes.Buffer
	c := exec.Command(program, args...)
	c.Stdout, c.Stderr = &o, &e
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return o.String(), e.String(), c.ProcessState.ExitCode()
}

// must runs a command line that is to succeed without a word on standard error.
func must(t *testing.T, args ...string) string {
	t.Helper()
	out, errs, status := rdmacap(t, args...)
	if status != 0 || errs != "" {
		t.Fatalf("rdmacap %s: status %d, standard error %q", strings.Join(args, " "), status, errs)
	}
	return out
}

// sample is the path of a capture that ships.
func sample(name string) string {
	return filepath.Join("..", "..", "..", "samples", name+".pcap.zst")
}
