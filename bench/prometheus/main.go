//go:build unix

// Command prometheus measures what one Prometheus needs for many instances of `rdmacap live`.
//
// It starts rdmacap live on a sample and reads the metrics once; an HTTP server then answers for
// every instance with these, in which all counters that are not 0 grow with each scrape, each by
// steps of its own. Prometheus has the alerts of docs/monitoring, and scrapes all of them on this machine.
//
//	go run ./bench/prometheus                             200 instances, every 15 seconds, for six minutes
//	go run ./bench/prometheus -instances 20 -every 1s -for 1m
//
// It needs the command prometheus (Debian: apt install prometheus), and Go unless -rdmacap names a
// program.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "prometheus:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context) error {
	instances := flag.Int("instances", 200, "how many instances")
	every := flag.Duration("every", 15*time.Second, "the scrape interval, and that of the alerts")
	lasts := flag.Duration("for", 6*time.Minute, "how long")
	program := flag.String("rdmacap", "", "the program, instead of one built of this tree")
	sample := flag.String("sample", "samples/rxe-basic.pcap.zst", "the capture that the metrics are of")
	flag.Parse()
	dir, err := os.MkdirTemp("", "rdmacap-prometheus-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if *program == "" {
		*program = filepath.Join(dir, "rdmacap")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", *program, "./cmd/rdmacap").CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	text, err := exposition(ctx, *program, *sample)
	if err != nil {
		return err
	}
	list := newInstances(text, *instances)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: list, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(l) }() // until it is closed
	defer server.Close()
	p := &prometheus{dir: dir, every: *every, targets: l.Addr().String(), instances: *instances}
	if err := p.start(ctx); err != nil {
		return err
	}
	defer p.stop()
	select {
	case <-time.After(*lasts):
	case <-ctx.Done():
		return ctx.Err()
	}
	fmt.Printf("%d instances of %d series, %d kB each; every %s for %s\n", *instances, list.series, len(text)/1000, *every, *lasts)
	return p.report()
}
