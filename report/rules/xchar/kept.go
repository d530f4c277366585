package xchar

import "github.com/rdmacap/rdmacap/report/rules"

// kept is what the rules of the family remember of a connection of version 2; lists are by
// the end that sent.
type kept struct {
	reactions        reactions      // XCHAR-002
	orphans, seconds [2]orphan      // XCHAR-004: the first of each end
	starts           [2]start       // XCHAR-006
	promises         [2]promises    // XCHAR-007
	pending          [2]ledger      // XCHAR-008
	resizing         resizing       // XCHAR-009
	support          [2]support     // XCHAR-010
	contradictions   contradictions // XCHAR-011
}

// state is where each connection keeps it.
const state = rules.ConnSlot[kept](rules.KeepsXCHAR)
