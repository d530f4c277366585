package requester

import "fmt"

// faults says which faults the plan makes on purpose. An edit of no call is an error.
func (p *Plan) faults() error {
	add := func(format string, args ...any) { p.Faults = append(p.Faults, fmt.Sprintf(format, args...)) }
	if p.Options.IgnoreCredits {
		add("calls are sent all at once, whatever the server grants")
	}
	switch n := p.Options.Oversize; {
	case n < 0:
		add("the last call's Send is one word longer than the server receives")
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
		if calls == 0 {
			return fmt.Errorf("no call that is sent is one to edit (%v)", &e.Edit)
		}
		add("%v, in %s", &e.Edit, plural(calls, "call"))
	}
	return nil
}
