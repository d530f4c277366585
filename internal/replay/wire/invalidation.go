package wire

import "github.com/rdmacap/rdmacap/internal/replay/transport"

// An Invalidation is how a peer's Send With Invalidate is made possible.
type Invalidation int

// The ways of remote invalidation.
const (
	// NoInvalidation: the peer is not to use Send With Invalidate. Memory is registered for
	// each call.
	NoInvalidation Invalidation = iota
	// ByWindows: for each segment a memory window of type 2 is bound, which is what the peer
	// invalidates.
	ByWindows
	// ByRegistration: memory is registered for each call, and the peer invalidates that
	// registration, as iWARP has it.
	ByRegistration
)

func (i Invalidation) String() string {
	switch i {
	case ByWindows:
		return "a memory window of type 2 for each segment"
	case ByRegistration:
		return "memory registered for each call"
	}
	return "none: R is cleared in the private data"
}

// InvalidationOf chooses the way for a device, if it is wanted at all.
func InvalidationOf(d transport.Device, wanted bool) Invalidation {
	switch {
	case !wanted:
		return NoInvalidation
	case d.Windows:
		return ByWindows
	case d.InvalidatesPlain:
		return ByRegistration
	}
	return NoInvalidation
}
