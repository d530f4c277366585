package requester

import (
	"errors"
	"fmt"

	"github.com/rdmacap/rdmacap/field"
)

// faults says which faults the plans make on purpose. An edit of no call is an error.
func (t *Together) faults(o *Options) error {
	if len(t.Plans) > 1 && (o.IgnoreCredits || o.Oversize != 0) {
		return errors.New("--honor-credits=false and --oversize apply to one connection: --connection N selects it")
	}
	edited := make([]int, len(o.Edits))
	for _, p := range t.Plans {
		p.faults(edited)
	}
	for i, calls := range edited {
		if calls == 0 {
			return fmt.Errorf("--edit matches no call that is sent (%v)", &o.Edits[i].Edit)
		}
	}
	return nil
}

// faults says which faults the plan makes, and counts for each edit the calls that are edited.
func (p *Plan) faults(edited []int) {
	add := func(format string, args ...any) { p.Faults = append(p.Faults, fmt.Sprintf(format, args...)) }
	if p.Options.IgnoreCredits {
		add("all calls are sent at once, whatever the server grants")
	}
	switch n := p.Options.Oversize; {
	case n < 0:
		add("the last call's Send is one word longer than the server can receive")
	case n > 0:
		add("the last call's Send has %d bytes", n)
	}
	for i := range p.Options.Edits {
		e := &p.Options.Edits[i]
		calls := 0
		for _, s := range p.steps {
			if s.kind == stepSend && s.call != nil && s.call.Marks[e.Mark] {
				calls++
			}
		}
		if edited[i] += calls; calls > 0 {
			add("%v, in %s", &e.Edit, field.Counted(calls, "call"))
		}
	}
}
