package requester

import (
	"errors"
	"fmt"

	"github.com/rdmacap/rdmacap/internal/replay/effect"
	"github.com/rdmacap/rdmacap/internal/replay/script"
)

// Together are connections of a capture that are replayed at once, each call in its place among those of all.
type Together struct {
	Plans []*Plan
	// Left are connections that are left out.
	Left []LeftOut
	// turns are the steps of all plans, and where each connection is made.
	turns []turn
}

// A LeftOut is a connection that is not replayed, and why.
type LeftOut struct {
	script.Other
	Why string `json:"why"`
}

// NewTogether says what a replay of connections is going to do: several at once, which are made, used and
// closed in the order of the capture, which Message.Order has. Options.MaxCalls counts the calls of all, and
// a Binder, that is one for all, knows on one connection what another was given. The error says why it cannot be done.
func NewTogether(list []*script.Conversation, o Options) (*Together, error) {
	o = o.withDefaults()
	for _, e := range o.Edits {
		if err := e.Check(); err != nil {
			return nil, err
		}
	}
	judge, err := effect.NewChecker()
	if err != nil {
		return nil, err
	}
	t := new(Together)
	for _, c := range list {
		err := t.refuses(c, len(list) > 1)
		if err == nil {
			t.Plans = append(t.Plans, &Plan{Conversation: c, Options: o, judgement: judge})
			continue
		}
		t.Left = append(t.Left, LeftOut{c.AsOther(), err.Error()})
		if len(t.Left) == len(list) {
			return nil, err
		}
	}
	f := follow(t.Plans, o.MaxCalls)
	t.turns = f.turns
	calls := 0
	for _, p := range t.Plans {
		calls += p.Calls
	}
	if calls == 0 {
		return nil, errors.New("there is no call of the client to replay")
	}
	if err := t.faults(&o); err != nil {
		return nil, err
	}
	for _, p := range t.Plans {
		p.connect()
	}
	var judged map[*script.Call]effect.Verdict
	if o.Binder != nil {
		s, err := newSurvey(f, &o)
		if err != nil {
			return nil, err
		}
		judged = s.effects
	}
	for _, p := range t.Plans {
		p.check(judged)
	}
	return t, nil
}

// refuses says why a connection is not replayed, of one among others for more reasons, nil if it is.
func (t *Together) refuses(c *script.Conversation, among bool) error {
	if err := c.CannotBeSent(); err != nil || !among {
		return err
	}
	if c.Forward() == 0 && c.Unselected > 0 {
		return errors.New("no call of the client on it is selected")
	}
	if c.Forward() == 0 {
		return errors.New("the client sends no calls on it")
	}
	if len(t.Plans) > 0 {
		if first := t.Plans[0].Conversation; first.Server.Addr.Addr() != c.Server.Addr.Addr() {
			return fmt.Errorf("it is with another server than connection %d", first.ID)
		}
	}
	return nil
}

// LeaveOut says of connections why they are not among the Plans.
func (t *Together) LeaveOut(list []script.Other, why string) {
	for _, o := range list {
		t.Left = append(t.Left, LeftOut{o, why})
	}
}

// Changes reports whether a call may change files, or state of the captured client.
func (t *Together) Changes() bool {
	for _, p := range t.Plans {
		if p.Effects.Changes() {
			return true
		}
	}
	return false
}
