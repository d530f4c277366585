package flow

// Gaps are what a connection shows to be missing from the capture.
//
// A gap is open while frames are missing that may still come: the capture has
// them out of order, or they were lost on the wire and will be sent again. One
// that is filled is no hole. It becomes a hole when it is given up: what lay
// there, messages or RDMA operations, is never told.
type Gaps struct {
	// Holes is how often something was given up as missing. A stretch of the
	// capture may count more than once.
	Holes int64
	// LastHole is the latest frame of which it is known that something before it
	// is missing: the first that was captured of what its sender sent behind a
	// hole, or the one that showed the hole where there is none. LastHoleTime is
	// its time in nanoseconds since 1970. They are valid if Holes is not 0.
	LastHole     Ref
	LastHoleTime int64
}

// AddHole notes a hole before a frame.
func (g *Gaps) AddHole(before Moment) {
	if g.Holes == 0 || before.Time >= g.LastHoleTime {
		g.LastHole, g.LastHoleTime = before.Ref, before.Time
	}
	g.Holes++
}

// Gap reports whether frames are missing so far that may still come: before some
// that wait for them, or of what the peer acknowledged. It may be true a little
// longer than that, but never while messages are told in their order and nothing
// of the connection waits.
func (c *Conn) Gap() bool { return c.carrier != nil && c.carrier.Gap() }
