package cm

import "github.com/rdmacap/rdmacap/report/rules"

// kept is what the rules of the family remember of a connection; most have nothing to.
type kept struct {
	useless  *useless    // CM-001
	request  *request009 // CM-009: the first REQ
	declared bool        // CM-005: what both ends told was published
	ended    bool        // CM-006: the Terminate was looked at
	waited   bool        // CM-010: an end waited for more than a second before it sent a packet again
}

// state is where each connection keeps it.
const state = rules.ConnSlot[kept](rules.KeepsCM)
