package watch

import "time"

// backwards is how far, in nanoseconds, the times of frames may go back before they count as
// those of a clock that was set.
const backwards = int64(10 * time.Second)

// A clock says what time it is in a capture: that of the newest frame, and as long as no
// other comes, what has passed since. So figures about an interface fall to nothing when its
// traffic stops, and those of a file are of the time when it was captured, however fast it is
// read.
type clock struct {
	// first and newest are times of frames, in nanoseconds since 1970; 0 before there is one.
	first, newest int64
	frames        int64 // how many had a time

	// asked is how many frames there were when somebody asked and they had just come, at
	// the wall's time since.
	asked int64
	since time.Time
	// stopped says that no further frame comes.
	stopped bool
}

// frame takes the time of a frame, 0 if it has none.
func (c *clock) frame(ns int64) {
	if ns == 0 {
		return
	}
	c.frames++
	switch {
	case c.first == 0:
		c.first, c.newest = ns, ns
	case ns > c.newest:
		c.newest = ns
	case ns < c.newest-backwards:
		c.newest = ns
		c.first = min(c.first, ns)
	}
}

// now is the time of the capture when that of the wall is another.
func (c *clock) now(wall time.Time) int64 {
	if c.frames != c.asked || c.since.IsZero() {
		c.asked, c.since = c.frames, wall
	}
	if c.stopped || c.frames == 0 {
		return c.newest
	}
	return c.newest + max(0, wall.Sub(c.since).Nanoseconds())
}
