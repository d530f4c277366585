package pipeline

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// ErrInterrupted is why a capture was not read on, after an interruption.
var ErrInterrupted = errors.New("interrupted")

// Stopping says what ends the reading of what would go on, beside a context.
type Stopping struct {
	// Heed has signals cancel the context until it is released; ending is closed when there is
	// another reason to end. Nil if nobody does that.
	Heed func(ending <-chan struct{}) (release func())
	// Asked ends the reading: by an interruption, or with false since the user has seen enough.
	// Nil if nobody asks.
	Asked <-chan bool
	// Interrupted is called when there is an interruption.
	Interrupted func()
	// Clock is time.Now, or what a test has for it.
	Clock func() time.Time
}

// A Stop ends the reading of what would go on: when a context is cancelled nothing more is
// waited for, and what was found is written. A nil one never does.
type Stop struct {
	Stopping
	// since is when it came, in nanoseconds since 1970, 0 before; ended is closed then, and
	// over when nobody watches any more.
	since       atomic.Int64
	quit        atomic.Bool // the user did not want more, and it is no interruption
	ended, over chan struct{}
	watching    sync.WaitGroup
	unheed      func()
}

// NewStop watches for the end of ctx, and what else ends the reading, until it is released.
func NewStop(ctx context.Context, how Stopping) *Stop {
	s := &Stop{Stopping: how, ended: make(chan struct{}), over: make(chan struct{}), unheed: func() {}}
	if s.Heed != nil {
		s.unheed = s.Heed(s.ended)
	}
	s.watching.Go(func() { s.watch(ctx) })
	return s
}

// watch waits for the end.
func (s *Stop) watch(ctx context.Context) {
	select {
	case <-ctx.Done():
	case interrupted := <-s.Asked:
		s.quit.Store(!interrupted)
	case <-s.over:
		return
	}
	if !s.quit.Load() {
		s.Interrupted()
	}
	s.since.Store(s.Clock().UnixNano())
	close(s.ended)
}

// Release ends watching.
func (s *Stop) Release() {
	if s == nil {
		return
	}
	s.unheed()
	close(s.over)
	s.watching.Wait() // it may be telling
}

// Ended is closed when the reading is to end.
func (s *Stop) Ended() <-chan struct{} { return s.ended }

// WhenEnded does something then, or when it is released.
func (s *Stop) WhenEnded(do func()) {
	go func() {
		select {
		case <-s.ended:
		case <-s.over:
		}
		do()
	}()
}

// came reports whether the reading is to end.
func (s *Stop) came() bool { return s != nil && s.since.Load() != 0 }

// WasInterrupted reports whether there was an interruption.
func (s *Stop) WasInterrupted() bool { return s.came() && !s.quit.Load() }

// problem is what was wrong with the reading if there was an interruption.
func (s *Stop) problem() []error {
	if !s.WasInterrupted() {
		return nil
	}
	return []error{errors.New("reading was interrupted: later frames are missing")}
}

// others are the errors, each by itself, that are not of an interruption.
func others(faults []error) (list []error) {
	for _, err := range each(faults) {
		if !errors.Is(err, ErrInterrupted) {
			list = append(list, err)
		}
	}
	return list
}
