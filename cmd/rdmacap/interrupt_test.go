package main

import (
	"bytes"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// TestOneInterrupt holds that signals within a second of the first are the same interruption,
// and that nobody listens for those that come later.
func TestOneInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var diag bytes.Buffer
		i := &interruption{signals: make(chan os.Signal), ended: make(chan struct{}), over: make(chan struct{})}
		i.watching.Go(func() { i.watch(streams{err: &diag}, nil) })
		i.signals <- os.Interrupt
		<-i.ended
		for range 9 {
			time.Sleep(oneInterrupt / 10)
			i.signals <- os.Interrupt // somebody takes it, or the test ends here
		}
		time.Sleep(oneInterrupt / 10)
		synctest.Wait()
		select {
		case i.signals <- os.Interrupt:
			t.Error("an interrupt after a second is taken for the first")
		default:
		}
		i.release()
		if n := bytes.Count(diag.Bytes(), []byte("\n")); n != 1 || !i.came() {
			t.Errorf("%d lines: %s", n, &diag)
		}
	})
}
