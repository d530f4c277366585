package catalogue_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

// shards hand each connection to one of several Checkers, which have one Across.
type shards struct {
	across       *rules.Across
	checkers     []*rules.Checker
	clock        dissect.Clock
	ordinal, now int64
	posted       []rules.Posted
}

// led is the Checker of a connection, at the next ordinal.
func (s *shards) led(c *dissect.Connection) *rules.Checker {
	k := s.checkers[0]
	if c != nil {
		k = s.checkers[c.ID%len(s.checkers)]
	}
	s.ordinal++
	k.At(s.ordinal, s.now)
	return k
}

func (s *shards) Connection(c *dissect.Connection, final bool) {
	k := s.led(c)
	k.Connection(c, final)
	s.posted = k.Posted(s.posted)
}

func (s *shards) Frame(v *dissect.FrameView) {
	k := s.led(v.Connection)
	k.Frame(v)
	s.posted = k.Posted(s.posted)
	if s.now = max(s.now, v.Frame.Time); s.clock.Due(s.now) {
		for _, k := range s.checkers {
			s.ordinal++
			k.At(s.ordinal, s.now)
			k.Tick(s.now)
			s.posted = k.Posted(s.posted)
		}
	}
}

func (s *shards) Message(m *dissect.Message) {
	k := s.led(m.Connection)
	k.Message(m)
	s.posted = k.Posted(s.posted)
}

func (s *shards) RPC(r *dissect.RPC) {
	k := s.led(r.Connection)
	k.RPC(r)
	s.posted = k.Posted(s.posted)
}

func (s *shards) Access(a *dissect.Access) {
	k := s.led(a.Connection)
	k.Access(a)
	s.posted = k.Posted(s.posted)
}

// checkShards asks the rules about a capture whose connections are spread over n Checkers.
// Across is told at the end.
func checkShards(t *testing.T, list []*rules.Rule, frames []capture.Frame, n int) (all []*rules.Finding) {
	t.Helper()
	s := &shards{across: rules.NewAcross(list, rules.DefaultConfig(), func(_ *dissect.Connection, found []*rules.Finding) {
		all = append(all, found...)
	})}
	for range n {
		s.checkers = append(s.checkers, s.across.Checker())
	}
	bindings, err := dissect.NewBindings()
	if err != nil {
		t.Fatal(err)
	}
	if err := bindings.Ask(rules.Fields(list)...); err != nil {
		t.Fatal(err)
	}
	d := dissect.New(s, dissect.Options{Units: true, Accesses: s, Bindings: bindings})
	for i := range frames {
		d.Frame(&frames[i])
	}
	for _, k := range s.checkers {
		k.Over()
	}
	d.Flush()
	s.across.Take(s.posted)
	s.across.Finish(s.ordinal + 1)
	return all
}
