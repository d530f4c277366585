package dissect

import "time"

// A Clock says when time went by, by the times of all frames of the capture.
type Clock struct {
	ticked int64 // when it ticked last, in nanoseconds since 1970, 0 for never
}

// Due reports whether the clock ticks, now that the newest frame is of a time, in
// nanoseconds since 1970: a second after it did last, or later. The first frame sets it.
func (k *Clock) Due(now int64) bool {
	if now-k.ticked < int64(time.Second) {
		return false
	}
	first := k.ticked == 0
	k.ticked = now
	return !first
}
