package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// oneInterrupt is how long further signals are taken for the first one: timeout(1), for
// example, signals its child, and then the process group that the child is in.
const oneInterrupt = time.Second

// A process is what a command shares with the process that runs it, beside its streams. The
// zero value is for a command that runs beside others: it hears no signals, and ends early
// only when its context is cancelled.
type process struct {
	// interrupts has the first SIGINT or SIGTERM cancel the context of the command, until it is
	// released: without that a signal ends the process. Ending, which may be nil, is closed
	// when the command begins to end for another reason, which counts as the first signal.
	// One that comes more than oneInterrupt after the first ends the process.
	interrupts func(ending <-chan struct{}) (release func())
	// hangups does something whenever SIGHUP comes, until it is released. Until then the
	// process does not end with SIGPIPE either: files are ended first.
	hangups func(do func()) (release func())
	// clock tells the time, instead of time.Now.
	clock func() time.Time
	// alone says that the process does nothing else, so that what is for a whole process may
	// be changed: privileges, and the limit of its memory.
	alone bool
}

// now is the time.
func (p process) now() time.Time {
	if p.clock == nil {
		return time.Now()
	}
	return p.clock()
}

// heed calls interrupts, if there are any.
func (p process) heed(ending <-chan struct{}) (release func()) {
	if p.interrupts == nil {
		return func() {}
	}
	return p.interrupts(ending)
}

// whenHungUp calls hangups, if there are any.
func (p process) whenHungUp(do func()) (release func()) {
	if p.hangups == nil {
		return func() {}
	}
	return p.hangups(do)
}

// runProcess executes the command line of this process, and returns its exit status.
func runProcess(args []string) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	return run(ctx, args, streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, process: process{
		interrupts: func(ending <-chan struct{}) (release func()) {
			signals := make(chan os.Signal, 1)
			signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
			return cancelOnSignal(signals, ending, cancel, func() { signal.Stop(signals) })
		},
		hangups: hangups,
		alone:   true,
	}})
}

// cancelOnSignal calls cancel with the first of the signals; a second after that, or after ending is
// closed, it calls stop, so that what comes then does what it does by default. Stop is called
// at the latest when it is released.
func cancelOnSignal(signals <-chan os.Signal, ending <-chan struct{}, cancel, stop func()) (release func()) {
	over := make(chan struct{})
	var hearing sync.WaitGroup
	hearing.Go(func() {
		defer stop()
		select {
		case <-signals:
			cancel()
		case <-ending:
		case <-over:
			return
		}
		for same := time.After(oneInterrupt); ; {
			select {
			case <-signals:
			case <-same:
				return
			case <-over:
				return
			}
		}
	})
	return func() {
		close(over)
		hearing.Wait()
	}
}
