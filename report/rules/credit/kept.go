package credit

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// kept is what the rules of the family remember of a connection with calls.
type kept struct {
	forward watch         // CREDIT-001
	first   *firstCalls   // CREDIT-002, nil before the first call and when no more are looked for
	counted bool          // CREDIT-002: no more are
	halved  [2]int64      // CREDIT-004: when the grant to an end was last cut by more than half
	series  [2]*[2]series // CREDIT-005, by the end that calls: of its calls, and of the answers
	reverse watch         // CREDIT-006
	most    mostReverseCalls
	early   *event      // CREDIT-007: a callback that came too early, as far as is known
	ready   bool        // CREDIT-007: the client is, or may be
	binding int64       // CREDIT-007: answers without a call whose call may have made the client ready
	breach  *breach     // CREDIT-008, one that is not told yet
	pinned  pinned      // CREDIT-009
	stall   stall       // CREDIT-010
	foreign *[2]foreign // CREDIT-011: by the end that holds to it
	// found is a stall that the server's next message must prove, told what stall.active
	// was when one was found last, plus 1.
	found    *stall
	reported int64
}

// state is where each connection keeps it.
const state = rules.ConnSlot[kept](rules.KeepsCREDIT)

// shared is what the rules of the family use on all connections.
type shared struct {
	back *values.BackChannel // of CREDIT-007
}

// sharedSlot is where a Checker keeps it.
const sharedSlot = rules.CaptureSlot[shared](rules.KeepsCREDIT)

func ofCapture(c *rules.Conn) *shared {
	return sharedSlot.Of(c.Capture)
}
