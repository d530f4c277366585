package rules

import (
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// TestBegin holds that a rule receives a connection once, before anything else of it:
// at its first frame, or at the first message of what the rule asks for.
func TestBegin(t *testing.T) {
	beginning := func(id string, speaks Protocol) *Rule {
		r := noting(id, speaks, 0)
		r.On = append(r.On, OnBegin(func(c *Conn, report Reporter) { wrote(c, "begin "+report.rule.ID) }))
		return r
	}
	var got []string
	end := &Rule{Rule: finding.Rule{ID: "Z-001", Severity: finding.Note}, Check: Check{On: []Event{OnEnd(func(c *Conn, _ Reporter) { got = records.Of(c).lines })}}}
	list := []*Rule{beginning("A-001", RPCRDMA), beginning("B-001", AnyProtocol), beginning("C-001", Version2), end}
	play(t, NewChecker(list, DefaultConfig(), func(*dissect.Connection, []*finding.Finding) {}))
	want := []string{"begin B-001", "begin A-001", "B-001", "A-001", "B-001", "A-001", "B-001", "A-001", "B-001", "A-001"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestClock holds that those are told that time went by who asked for it, once, in the
// order in which they did, and none that is over.
func TestClock(t *testing.T) {
	var got []int
	rule := &Rule{Rule: finding.Rule{ID: "A-001", Severity: finding.Note}, Check: Check{On: []Event{OnTick(func(c *Conn, _ int64, _ Reporter) {
		if got = append(got, c.ID); c.ID == 3 {
			c.Remind() // it goes on waiting
		}
	})}}}
	k := NewChecker([]*Rule{rule}, DefaultConfig(), nil)
	var conns []*Conn
	for id := range 5 {
		conns = append(conns, k.conn(&dissect.Connection{Conn: &flow.Conn{ID: id}}))
	}
	tick := func(at time.Duration, want ...int) {
		t.Helper()
		got = nil
		if now := int64(1000*time.Second + at); k.clock.Due(now) {
			k.Tick(now)
		}
		if !slices.Equal(got, want) {
			t.Errorf("at %v connections %v were told, want %v", at, got, want)
		}
	}
	tick(0)
	conns[3].Remind()
	conns[1].Remind()
	conns[3].Remind()
	conns[4].Remind()
	k.capture.waiting.forget(conns[4])
	tick(time.Second / 2)
	tick(time.Second, 3, 1)
	conns[0].Remind()
	tick(3*time.Second, 3, 0)
	tick(4*time.Second, 3)
}
