//go:build unix

package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// whileKeeping does something whenever SIGHUP comes, until it is released. Until then the
// process does not end with SIGPIPE if nobody reads its output: files are ended first.
func whileKeeping(reopen func()) (release func()) {
	signals, over := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGHUP)
	signal.Ignore(syscall.SIGPIPE)
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case <-signals:
				reopen()
			case <-over:
				return
			}
		}
	})
	return func() {
		signal.Stop(signals)
		signal.Reset(syscall.SIGPIPE)
		close(over)
		watching.Wait()
	}
}
