package inbrowser

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "take the pictures in docs/images anew")

// built is where program is in the end, "" if nobody asked for it.
var built string

// program is the path of rdmacap, built when a test asks for it first.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "rdmacap")
	if err != nil {
		return "", err
	}
	built = dir
	path := filepath.Join(dir, "rdmacap")
	if out, err := exec.Command("go", "build", "-o", path, "../../../cmd/rdmacap").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	flag.Parse()
	status := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(status)
}

// rdmacap runs a command line, and returns what it wrote and its exit status.
func rdmacap(t *testing.T, args ...string) (out, errs string, status int) {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	var o, e bytes.Buffer
	c := exec.Command(path, args...)
	c.Stdout, c.Stderr = &o, &e
	err = c.Run()
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
