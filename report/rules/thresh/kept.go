package thresh

import "github.com/rdmacap/rdmacap/report/rules"

// kept is what the rules of the family remember of a connection; most have nothing to.
type kept struct {
	above   *[2]above    // THRESH-001: by the end that sent
	larger  *[2]larger   // THRESH-005: by the end that sent
	early   early        // THRESH-006
	near    int          // THRESH-007: calls that would have fitted by little
	fitted  *without     // THRESH-009
	failed  bool         // THRESH-009: a call without a Reply chunk was found
	pending *[2]oversize // THRESH-010: by the end that sent
	small   *small       // THRESH-011
	tallies *[2]tally    // THRESH-012: by the end that sent
}

// state is where each connection keeps it.
const state = rules.ConnSlot[kept](rules.KeepsTHRESH)
