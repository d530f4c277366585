package main

import (
	"os"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestOneInterrupt holds that signals within a second of the first are the same, and that
// nobody hears those that come later.
func TestOneInterrupt(t *testing.T) {
	for name, ends := range map[string]bool{"a signal": false, "the command ends": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				signals, ending := make(chan os.Signal), make(chan struct{})
				var cancelled atomic.Int32
				var stopped atomic.Bool
				release := cancelOnSignal(signals, ending, func() { cancelled.Add(1) }, func() { stopped.Store(true) })
				time.Sleep(time.Hour)
				want := int32(1)
				if ends {
					want = 0
					close(ending)
				} else {
					signals <- os.Interrupt
				}
				for range 9 {
					time.Sleep(oneInterrupt / 10)
					signals <- os.Interrupt // somebody takes it, or the test ends here
				}
				synctest.Wait()
				if stopped.Load() {
					t.Error("it does not listen for a second")
				}
				time.Sleep(oneInterrupt / 10)
				synctest.Wait()
				if !stopped.Load() || cancelled.Load() != want {
					t.Errorf("stopped: %v; cancelled %d times, want %d", stopped.Load(), cancelled.Load(), want)
				}
				release()
			})
		})
	}
}

// TestNoInterrupt holds that nobody hears signals after a command that ends without any.
func TestNoInterrupt(t *testing.T) {
	stopped := false
	cancelOnSignal(nil, nil, func() { t.Error("it is cancelled") }, func() { stopped = true })()
	if !stopped {
		t.Error("it goes on hearing signals")
	}
}
