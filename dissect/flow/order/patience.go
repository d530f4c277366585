package order

import "github.com/rdmacap/rdmacap/dissect/flow"

// An Instant is a point in a connection.
type Instant struct {
	Time   int64 // nanoseconds since 1970
	Frames int64 // frames of the connection up to it
}

// Now is the instant of the newest frame.
func Now(c *flow.Conn) Instant { return Instant{c.LastTime, c.Frames} }

// Limits of patience with a gap.
const (
	// ReorderWindow is how many frames of the connection a missing frame may
	// come late once it was acknowledged, at least: see LongAgo.
	ReorderWindow = 64
	// MaxHeld and maxHeldSize bound what waits after a gap, in packets and
	// bytes of memory.
	MaxHeld     = 512
	MaxHeldSize = 4 << 20
	// ReorderDelay is how late, in nanoseconds, a frame may come and still
	// count as reordered rather than sent again.
	ReorderDelay = 10_000_000
)

// Soon is how many frames of the connection a missing frame may come late, once it was
// acknowledged and others wait after it, while all others of the connection came in their
// order: what one end does next is told before what the other does because of it.
const Soon = 5

// Window is how many it may be in a connection that shows how orderly its capture is, most
// if that is not.
func Window(c *flow.Counters, mixed bool, most int64) int64 {
	if !InStep(c, mixed) {
		return most
	}
	return Soon
}

// InStep reports whether all frames of a connection came in the order in which they were sent
// so far, those of both directions too.
func InStep(c *flow.Counters, mixed bool) bool { return !mixed && c.Reordered == 0 && c.Skewed == 0 }

// Limits of patience with what is missing where nothing waits for it. Nothing
// acknowledges a response, so nothing tells one that the capture lacks from one that
// the requester will ask for again: that may take a time-out, while the responder
// goes on with what it was asked for. Until then there is a gap. What is
// acknowledged, where the sender went silent, may be a direction that comes late.
const (
	// resendDelay is the time in nanoseconds in which a requester asks again: more
	// than the time-outs (IBA 9.7.6.1.3) that are in use.
	resendDelay = 1_000_000_000
	// resendWindow is how many frames of the connection may come meanwhile.
	resendWindow = 4096
)

// LongAgo reports whether an instant lies so far before another of the connection that
// what was missing then will not come any more, though nothing waits for it. Few
// frames, no more than a window, are never so many.
func (m Instant) LongAgo(now Instant, window int64) bool {
	n := now.Frames - m.Frames
	return n >= resendWindow || n >= window && now.Time-m.Time >= resendDelay
}
