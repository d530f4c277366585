package sym

import "github.com/rdmacap/rdmacap/report/rules"

// kept is what the rules of the family remember of a connection; most have nothing to.
type kept struct {
	stalls  rules.Ring[stall] // SYM-001: the newest ones
	pauses  pauses            // the same
	hanging *hanging          // the same, live
	rates   *rates            // SYM-007
	trips   *trips            // SYM-011
	// refusals, of SYM-003, are by operation and status.
	refusals []*refusal
	access   *access   // SYM-003a
	declines *declines // SYM-004
	// departed, of SYM-009, is how the connection ended amid work, resumed what came of the state of one before.
	departed *departure
	resumed  *resumed
}

// state is where each connection keeps it.
const state = rules.ConnSlot[kept](rules.KeepsSYM)
