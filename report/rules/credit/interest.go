package credit

// An interest is which events a rule wants to see.
type interest struct {
	of  events
	see func(e *event)
	// done, if it is not nil, is true when the rule has seen enough; always, if it is
	// not nil, while it wants to see all events.
	done, always *bool
}

// events are kinds of events, and the directions of the calls that they belong to.
type events uint8

const (
	ofCalls    events = 1 << called
	ofAnswers  events = 1 << answered
	ofStrays   events = 1 << stray
	ofRefusals events = 1 << refused
	inForward  events = 1 << 6
	inReverse  events = 1 << 7

	inBoth = inForward | inReverse
)

// on lets a rule see events, after they were entered into the ledgers.
func (a *account) on(of events, see func(e *event)) *interest {
	a.see = append(a.see, interest{of: of, see: see})
	return &a.see[len(a.see)-1]
}

// until ends the interest when done is.
func (i *interest) until(done *bool) { i.done = done }

// orWhile widens it to all events, as long as always is.
func (i *interest) orWhile(always *bool) { i.always = always }

// tell tells the rules of an event.
func (a *account) tell(e *event) {
	is := events(1<<e.kind) | inReverse
	if a.of(e) == a.forward() {
		is = events(1<<e.kind) | inForward
	}
	for i := range a.see {
		x := &a.see[i]
		if x.of&is == is && (x.done == nil || !*x.done) || x.always != nil && *x.always {
			x.see(e)
		}
	}
}
