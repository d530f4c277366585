package hdr

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// kept is what the rules of the family remember of a connection.
type kept struct {
	// modern says of HDR-011 that an end did what RFC 5666 does not know, offered that it
	// offered memory in a reply's Read list.
	modern, offered [2]bool
	taken           [2]shape // HDR-016: the most that each end took
	// strayed is when the newest RDMA_ERROR of each end came that answers no call.
	strayed [2]flow.Moment
}

// state is where each connection keeps it.
const state = rules.ConnSlot[kept](rules.KeepsHDR)
