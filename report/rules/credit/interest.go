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

	inForward        rules.Class = 1
	reverseDirection rules.Class = 1 << kinds
	inBoth                       = inForward | reverseDirection

	// whileBreached is a bit of all events while CREDIT-008 waits for the next.
	whileBreached rules.Class = 1 << (2 * kinds)
	// whileCounting is one of calls and answers in forward direction, and of what else the
	// server sends, while CREDIT-002 looks for the first calls, whileUnready of all but refusals while CREDIT-007 does not know the
	// client to be ready.
	whileCounting rules.Class = 1 << (2*kinds + 1)
	whileUnready  rules.Class = 1 << (2*kinds + 2)
	// ofCuts is a bit of answers that grant fewer credits than were granted before.
	ofCuts rules.Class = 1 << (2*kinds + 3)
	// whileOverrun is one of answers in forward direction while CREDIT-001 waits for one that
	// may excuse an overrun.
	whileOverrun rules.Class = 1 << (2*kinds + 4)
)

// onEvent calls do for each event that is one of need, in the order of the frames, after
// it was entered into the ledgers.
func onEvent(need rules.Class, do func(a *account, e *event, report rules.Reporter)) rules.Event {
	return rules.On(need, func(_ *rules.Conn, x *entered, report rules.Reporter) {
		if need&x.event.class != 0 {
			do(x.account, x.event, report)
		}
	})
}

// entered is an event that was entered into the ledgers of an account.
type entered struct {
	account *account
	event   *event
}

// emit notifies the rules of an event, which belongs to a ledger.
func (a *account) emit(e *event, l *ledger) {
	forward := l == a.forward()
	e.class = reverseDirection << e.kind
	if forward {
		e.class = inForward << e.kind
	}
	if e.kind == answered && e.credits > 0 && e.credits < e.formerly {
		e.class |= ofCuts
	}
	k := state.IfAny(a.c)
	if e.kind != refused && (k == nil || !k.ready) {
		e.class |= whileUnready
	}
	if (forward && (e.kind == called || e.kind == answered) || !forward && e.kind == stray) && (k == nil || !k.counted) {
		e.class |= whileCounting
	}
	if k != nil && k.breach != nil {
		e.class |= whileBreached
	}
	if k != nil && k.forward.pending && forward && e.kind == answered {
		e.class |= whileOverrun
	}
	a.emitted = entered{a, e}
	rules.Raise(a.c, e.class, &a.emitted)
}
