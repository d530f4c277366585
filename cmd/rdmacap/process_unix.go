//go:build unix

package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// hangups is that of a process.
func hangups(do func()) (release func()) {
	signals, over := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGHUP)
	signal.Ignore(syscall.SIGPIPE)
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case <-signals:
				do()
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
