package pipeline

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestStopOnce holds that an interruption is told once, whatever comes after it.
func TestStopOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked, told := make(chan bool, 2), 0
	s := NewStop(ctx, Stopping{Asked: asked, Interrupted: func() { told++ }, Clock: time.Now})
	asked <- true
	<-s.Ended()
	cancel()
	asked <- false
	s.Release()
	if told != 1 || !s.came() || !s.WasInterrupted() || len(s.problem()) != 1 {
		t.Errorf("told %d times, came %v, interrupted %v, %v", told, s.came(), s.WasInterrupted(), s.problem())
	}
}

// TestQuit holds that a user who has seen enough is no interruption.
func TestQuit(t *testing.T) {
	asked := make(chan bool, 1)
	s := NewStop(t.Context(), Stopping{Asked: asked, Interrupted: func() { t.Error("it is told") }, Clock: time.Now})
	asked <- false
	<-s.Ended()
	s.Release()
	if !s.came() || s.WasInterrupted() || s.problem() != nil {
		t.Errorf("came %v, interrupted %v, %v", s.came(), s.WasInterrupted(), s.problem())
	}
}

// TestHeed holds that signals are heeded until it is released, and that who heeds them knows
// when something else has ended the reading.
func TestHeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ending <-chan struct{}
		heeding := false
		asked := make(chan bool, 1)
		s := NewStop(t.Context(), Stopping{
			Heed: func(c <-chan struct{}) func() {
				ending, heeding = c, true
				return func() { heeding = false }
			},
			Asked: asked, Clock: time.Now,
		})
		synctest.Wait()
		select {
		case <-ending:
			t.Error("it ends of its own")
		default:
		}
		asked <- false
		<-ending // or the test ends here
		if !heeding {
			t.Error("signals are not heeded until the end")
		}
		s.Release()
		if heeding {
			t.Error("signals are heeded after the end")
		}
	})
}

// TestNoStop holds that one that is nil never ends anything.
func TestNoStop(t *testing.T) {
	var s *Stop
	s.Release()
	if s.came() || s.WasInterrupted() || s.problem() != nil {
		t.Error("nobody ended it")
	}
}

// TestOthers holds that errors are taken apart, and those of an interruption left out.
func TestOthers(t *testing.T) {
	a, b := errors.New("a"), errors.New("b")
	if got := others([]error{errors.Join(a, ErrInterrupted), b}); len(got) != 2 || got[0] != a || got[1] != b {
		t.Errorf("%v", got)
	}
}
