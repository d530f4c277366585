package credit

import "github.com/rdmacap/rdmacap/report/rules"

// What an event of the account is, as a set of bits: its kind, by the
// direction of the call that it belongs to. A rule asks for kinds in some directions by
// their product: inBoth*(ofCalls|ofAnswers).
const (
	ofCalls    rules.Class = 1 << called
	ofAnswers  rules.Class = 1 << answered
	ofStrays   rules.Class = 1 << stray
	ofRefusals rules.Class = 1 << refused

	inForward rules.Class = 1
	inReverse rules.Class = 1 << kinds
	inBoth                = inForward | inReverse

	// whileBreached is a bit of all events while CREDIT-008 waits for the next.
	whileBreached rules.Class = 1 << (2 * kinds)
)

// onEvent calls do for each event that is one of need, in the order of the frames, after
// it was entered into the ledgers.
func onEvent(need rules.Class, do func(a *account, e *event, say rules.Say)) rules.Event {
	return rules.On(need, func(c *rules.Conn, e *event, say rules.Say) {
		if need&e.class != 0 {
			do(accountOf(c), e, say)
		}
	})
}

// tell tells the rules of an event.
func (a *account) tell(e *event) {
	e.class = inReverse << e.kind
	if a.of(e) == a.forward() {
		e.class = inForward << e.kind
	}
	if k := ifAny(a.c); k != nil && k.breach != nil {
		e.class |= whileBreached
	}
	rules.Raise(a.c, e.class, e)
}
