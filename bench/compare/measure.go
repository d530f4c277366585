//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"
)

// bench is what all measurements share.
type bench struct {
	ctx    context.Context
	root   string // folder of the module
	folder string // of rdmacap as it was built, and captures that are made
	rounds int
}

// command is a command that is measured, and what it took.
type command struct {
	name    string
	args    []string
	against *command // of tshark, or itself
	seconds []float64
	cpu     []float64 // seconds of processor time, with the kernel's
	peak    float64   // resident memory at most, MiB
}

// Names of commands, as tables show them and claims find them.
const (
	statistics = "tshark -q -z io,stat,0 -r"
	listing    = "tshark -r"
	check      = "rdmacap check"
	read       = "rdmacap read"
	ndjson     = "rdmacap read --format ndjson"
	page       = "rdmacap report"
	oneWorker  = " --workers 1"
)

// beside is what is measured on a capture.
func (b *bench) beside(file string) (list []*command) {
	add := func(tshark *command, names ...string) {
		tshark.against = tshark
		list = append(list, tshark)
		for _, name := range names {
			list = append(list,
				&command{name: name + oneWorker, args: b.args(name, 1, file), against: tshark},
				&command{name: name, args: b.args(name, 0, file), against: tshark})
		}
	}
	add(&command{name: statistics, args: []string{"tshark", "-q", "-z", "io,stat,0", "-r", file}}, check, page)
	add(&command{name: listing, args: []string{"tshark", "-r", file}}, read, ndjson)
	return list
}

// args are the arguments of one of rdmacap's commands; 0 workers leaves their number to it.
func (b *bench) args(name string, workers int, file string) []string {
	args := []string{b.rdmacap()}
	switch name {
	case check:
		args = append(args, "check", "--fail-on", "never")
	case page:
		args = append(args, "report", "-o", "-")
	case read:
		args = append(args, "read")
	case ndjson:
		args = append(args, "read", "--format", "ndjson")
	}
	if workers > 0 {
		args = append(args, "--workers", strconv.Itoa(workers))
	}
	return append(args, file)
}

// measure runs the commands in turn, in as many rounds as there are to be, after one
// that is not timed: it fills the caches, and shows that each prints something.
func (b *bench) measure(list []*command) error {
	// The peak memory of a process counts from that of the one that starts it. This
	// makes ours what it is now; where it fails, small peaks are shown too large.
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	for round := range b.rounds + 1 {
		for _, c := range list {
			if err := c.run(b.ctx, round > 0); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	return nil
}

// run runs the command once. If it is not timed, it must print something.
func (c *command) run(ctx context.Context, timed bool) error {
	var messages bytes.Buffer
	var printed counter
	p := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	p.Stderr = &messages
	if !timed {
		p.Stdout = &printed // otherwise nowhere, so that nobody has to read it
	}
	began := time.Now()
	err := p.Run()
	took := time.Since(began)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, &messages)
	}
	if !timed && int(printed)+messages.Len() == 0 {
		return errors.New("it printed nothing")
	}
	if timed {
		c.seconds = append(c.seconds, took.Seconds())
		c.cpu = append(c.cpu, (p.ProcessState.UserTime() + p.ProcessState.SystemTime()).Seconds())
		c.peak = max(c.peak, float64(p.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)/1024)
	}
	return nil
}

// counter counts what is written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
