package ddp

import "github.com/rdmacap/rdmacap/report/rules"

// kept is what the rules of the family remember of a connection.
type kept struct {
	exact bool // DDP-011: the server returned a length that is not a multiple of 4
}

// state is where each connection keeps it.
const state = rules.ConnSlot[kept](rules.KeepsDDP)
