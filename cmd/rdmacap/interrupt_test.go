package main

import (
	"bytes"
	"context"
	"testing"
)

// TestOneInterruption holds that one that comes again is not told again.
func TestOneInterruption(t *testing.T) {
	var diag bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan bool, 2)
	i := interruptible(ctx, streams{err: &diag}, asked)
	asked <- true
	<-i.ended
	cancel()
	asked <- false
	i.release()
	if n := bytes.Count(diag.Bytes(), []byte("\n")); n != 1 || !i.came() || i.status(nil) == nil || len(i.problem()) != 1 {
		t.Errorf("%d lines: %s", n, &diag)
	}
}

// TestQuit holds that a user who has seen enough is no interruption.
func TestQuit(t *testing.T) {
	var diag bytes.Buffer
	asked := make(chan bool, 1)
	i := interruptible(t.Context(), streams{err: &diag}, asked)
	asked <- false
	<-i.ended
	i.release()
	if diag.Len() != 0 || !i.came() || i.status(nil) != nil || i.problem() != nil {
		t.Errorf("%q, %v, %v", &diag, i.status(nil), i.problem())
	}
}
