package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

// result is what one command line did.
type result struct {
	out, err string
	status   int
}

// rdmacap runs a command line, with nothing on standard input.
func rdmacap(args ...string) result { return rdmacapReading(strings.NewReader(""), args...) }

func rdmacapReading(in io.Reader, args ...string) result {
	var out, err bytes.Buffer
	status := run(context.Background(), args, streams{in: in, out: &out, err: &err})
	return result{out.String(), err.String(), status}
}

// A running command line runs beside the test.
type running struct {
	cancel context.CancelFunc
	status chan int
}

// start begins to run a command line.
func start(t *testing.T, s streams, args ...string) *running {
	ctx, cancel := context.WithCancel(t.Context())
	r := &running{cancel, make(chan int, 1)}
	go func() { r.status <- run(ctx, args, s) }()
	return r
}

// interrupt does what a signal would do.
func (r *running) interrupt() { r.cancel() }

// wait waits for its exit status.
func (r *running) wait(t *testing.T) int {
	t.Helper()
	select {
	case status := <-r.status:
		return status
	case <-time.After(time.Minute):
		t.Fatal("the command goes on")
		return 0
	}
}

// must runs a command line that is to succeed without a word on standard error.
func must(t *testing.T, args ...string) string {
	t.Helper()
	r := rdmacap(args...)
	if r.status != exitDone || r.err != "" {
		t.Fatalf("rdmacap %s: status %d, standard error %q", strings.Join(args, " "), r.status, r.err)
	}
	return r.out
}

// sample is the path of a capture that ships.
func sample(name string) string { return filepath.Join("..", "..", "samples", name+".pcap.zst") }

// unpacked is a sample's pcap file as bytes.
func unpacked(t *testing.T, name string) []byte {
	t.Helper()
	return shipped.Whole(t, name)
}

// write puts bytes into a file of the test's own.
func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

var samples = []string{"rxe-acl", "rxe-basic", "rxe-cb", "rxe-ipv6", "rxe-krb", "rxe-loss", "rxe-perftest", "rxe-thresh",
	"siw-basic", "siw-cb", "siw-loss", "siw-perftest",
	"version2-roce", "version2-iwarp", "fallback-roce", "fallback-iwarp"}

// few are all samples if tests may take long, or some of the smallest of each kind.
func few() []string {
	return long.Pick([]string{"rxe-cb", "rxe-perftest", "siw-cb", "siw-perftest", "version2-roce", "fallback-iwarp"}, samples)
}
