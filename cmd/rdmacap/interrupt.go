package main

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/rdmacap/rdmacap/capture"
)

// exitInterrupted is the exit status where SIGINT or SIGTERM ended the command.
const exitInterrupted = 130

// errInterrupted is why a capture was not read on, after an interruption.
var errInterrupted = errors.New("interrupted")

// An interruption ends the reading of what would go on: when the context of the command is
// cancelled nothing more is waited for, and what was found is written. A nil one is none.
type interruption struct {
	clock process
	// since is when it came, in nanoseconds since 1970, 0 before; ended is closed then, and
	// over when nobody watches any more.
	since       atomic.Int64
	quit        atomic.Bool // the user did not want more, and it is no interruption
	ended, over chan struct{}
	watching    sync.WaitGroup
	unheed      func()
}

// interruptible watches for an interruption from now on. Asked, which may be nil, ends the reading
// too: by an interruption, or with false since the user has seen enough.
func interruptible(ctx context.Context, s streams, asked <-chan bool) *interruption {
	i := &interruption{clock: s.process, ended: make(chan struct{}), over: make(chan struct{})}
	i.unheed = s.heed(i.ended)
	i.watching.Go(func() { i.watch(ctx, s, asked) })
	return i
}

// watch waits for the interruption.
func (i *interruption) watch(ctx context.Context, s streams, asked <-chan bool) {
	select {
	case <-ctx.Done():
	case interrupted := <-asked:
		i.quit.Store(!interrupted)
	case <-i.over:
		return
	}
	if !i.quit.Load() {
		complain(s, "interrupted: this is what was found until now; a second interrupt ends at once")
	}
	i.since.Store(i.clock.now().UnixNano())
	close(i.ended)
}

// release ends watching.
func (i *interruption) release() {
	if i == nil {
		return
	}
	i.unheed()
	close(i.over)
	i.watching.Wait() // it may be writing
}

// whenEnded does something when there is an interruption, or nobody watches any more.
func (i *interruption) whenEnded(do func()) {
	go func() {
		select {
		case <-i.ended:
		case <-i.over:
		}
		do()
	}()
}

// came reports whether there was an interruption, or the user quit.
func (i *interruption) came() bool { return i != nil && i.since.Load() != 0 }

// status is the exit status of a command that would have ended with err.
func (i *interruption) status(err error) error {
	if i.came() && !i.quit.Load() {
		return &statusError{exitInterrupted}
	}
	return err
}

// problem is what was wrong with the reading if there was an interruption.
func (i *interruption) problem() []error {
	if !i.came() || i.quit.Load() {
		return nil
	}
	return []error{errors.New("the reading was interrupted: what came later is not here")}
}

// others are the errors that are not of an interruption.
func (i *interruption) others(faults []error) (list []error) {
	for _, err := range each(faults) {
		if !errors.Is(err, errInterrupted) {
			list = append(list, err)
		}
	}
	return list
}

// source is s, ended when the user quits; with atOnce also when there is an interruption,
// after which that of a pipe still has what its writer had to say.
func (i *interruption) source(s capture.Source, atOnce bool) capture.Source {
	return &endable{s, i, atOnce}
}

// endable is a source that ends.
type endable struct {
	capture.Source
	stop   *interruption
	atOnce bool
}

func (e *endable) Next(f *capture.Frame) error {
	if e.stop.quit.Load() || e.atOnce && e.stop.came() {
		return io.EOF
	}
	return e.Source.Next(f)
}

// Ready implements capture.Ready.
func (e *endable) Ready() bool {
	r, ok := e.Source.(capture.Ready)
	return !ok || r.Ready()
}

// Keep implements capture.Keeper.
func (e *endable) Keep(n int) bool {
	k, ok := e.Source.(capture.Keeper)
	return ok && k.Keep(n)
}

// each takes errors apart that were joined, so that each has its line and is
// judged by itself.
func each(list []error) (all []error) {
	for _, err := range list {
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			all = append(all, each(joined.Unwrap())...)
		} else {
			all = append(all, err)
		}
	}
	return all
}
