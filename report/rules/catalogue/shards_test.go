package catalogue_test

import (
	"sync"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// shards hand each connection to one of several Checkers, which have one CrossConnection, in a
// goroutine of its own: the race detector sees whether it looks into what still changes.
type shards struct {
	posts        chan []rules.Publication
	working      sync.Mutex // held while anything changes
	across       *rules.CrossConnection
	checkers     []*rules.Checker
	clock        dissect.Clock
	ordinal, now int64
}

// tell tells the Checker of a connection something, at the next ordinal.
func (s *shards) tell(c *dissect.Connection, do func(k *rules.Checker)) {
	k := s.checkers[0]
	if c != nil {
		k = s.checkers[c.ID%len(s.checkers)]
	}
	s.ordinal++
	s.post(k, do)
}

// post hands on what a Checker posts.
func (s *shards) post(k *rules.Checker, do func(k *rules.Checker)) {
	k.At(s.ordinal, s.now)
	do(k)
	if list := k.Publications(nil); len(list) > 0 {
		s.working.Unlock() // CrossConnection may want all to pause
		s.posts <- list
		s.working.Lock()
	}
}

func (s *shards) Connection(c *dissect.Connection, final bool) {
	s.tell(c, func(k *rules.Checker) { k.Connection(c, final) })
}

func (s *shards) Message(m *dissect.Message) {
	s.tell(m.Connection, func(k *rules.Checker) { k.Message(m) })
}

func (s *shards) RPC(r *dissect.RPC) { s.tell(r.Connection, func(k *rules.Checker) { k.RPC(r) }) }

func (s *shards) Access(a *dissect.Access) {
	s.tell(a.Connection, func(k *rules.Checker) { k.Access(a) })
}

func (s *shards) Frame(v *dissect.FrameView) {
	s.tell(v.Connection, func(k *rules.Checker) { k.Frame(v) })
	if s.now = max(s.now, v.Frame.Time); s.clock.Due(s.now) {
		for _, k := range s.checkers {
			s.ordinal++
			s.post(k, func(k *rules.Checker) { k.Tick(s.now) })
		}
	}
}

// pause lets CrossConnection look at what Checkers have.
func (s *shards) pause(do func()) {
	s.working.Lock()
	defer s.working.Unlock()
	do()
}

// checkShards asks the rules about a capture whose connections are spread over n Checkers.
func checkShards(t *testing.T, list []*rules.Rule, frames []capture.Frame, n int) (all []*finding.Finding) {
	t.Helper()
	s := &shards{posts: make(chan []rules.Publication, 1000), across: rules.NewCrossConnection(list, rules.DefaultConfig(), func(_ *dissect.Connection, found []*finding.Finding) {
		all = append(all, found...)
	})}
	for range n {
		s.checkers = append(s.checkers, s.across.Checker())
	}
	bindings := bindingsOf(t, list)
	s.across.PauseBy(s.pause)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for list := range s.posts {
			s.across.TakePublications(list)
		}
	}()
	s.working.Lock()
	d := dissect.New(s, dissect.Options{Units: true, Accesses: s, Bindings: bindings})
	for i := range frames {
		d.Frame(&frames[i])
	}
	for _, k := range s.checkers {
		k.Over()
	}
	d.Flush()
	s.working.Unlock()
	close(s.posts)
	<-done
	s.across.Finish(s.ordinal+1, func() {})
	return all
}
