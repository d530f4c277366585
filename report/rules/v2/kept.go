package v2

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// kept is what the rules of the family remember of a connection.
type kept struct {
	able        [2]bool             // V2-003: which ends were seen to invalidate
	back        *values.BackChannel // V2-005, made with the first call
	asked       flow.Ref            // V2-005: where the client asked for a back channel
	orphans     orphans             // V2-006
	shortages   shortages           // V2-008
	negotiation *negotiation        // V2-009: nil until version 2 is spoken
	first       rules.PastMessage   // V2-010: the client's first message of version 2
	large       [2]flow.Ref         // V2-010: the first Send of each end that only version 2 allows
}

// state is where each connection keeps it.
const state = rules.ConnSlot[kept](rules.KeepsV2)
