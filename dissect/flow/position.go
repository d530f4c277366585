package flow

import "cmp"

// A Position says when something was found, for putting together what was found
// apart: at which frame of the capture, and before, by or after it.
type Position struct {
	// Ordinal is the 1-based number of the frame in the capture, over all files.
	Ordinal int64
	// Phase is what is done at that frame, Order which comes first of what is done in
	// one phase for several connections.
	Phase Phase
	Order int64
}

// A Phase is part of what is done at a frame, in this order.
type Phase uint8

const (
	Leaving  Phase = iota // connections that are not followed any more are let go, before a batch
	Expiry                // connections that have ended are let go
	Retiring              // what serves another connection now is let go, see front.Expired
	Arriving              // the frame is followed
	Ticking               // time went by
)

// Compare orders positions.
func (p Position) Compare(o Position) int {
	if p.Ordinal != o.Ordinal {
		return cmp.Compare(p.Ordinal, o.Ordinal)
	}
	if p.Phase != o.Phase {
		return cmp.Compare(p.Phase, o.Phase)
	}
	return cmp.Compare(p.Order, o.Order)
}
