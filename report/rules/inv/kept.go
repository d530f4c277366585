package inv

import "github.com/rdmacap/rdmacap/report/rules"

// kept is what the rules of the family remember of a connection.
type kept struct {
	invalidated bool         // INV-003: something was
	chances     *opportunity // INV-005: nil without RPCs that have chunks
}

// state is where each connection keeps it.
const state = rules.ConnSlot[kept](rules.KeepsINV)
