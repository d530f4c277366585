//go:build unix

package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// onHangup does something whenever SIGHUP comes, until it is released.
func onHangup(do func()) (release func()) {
	signals, over := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGHUP)
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
		close(over)
		watching.Wait()
	}
}
