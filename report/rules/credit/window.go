package credit

import (
	"math"
	"time"
)

// settling is how long, in nanoseconds, a former grant may still be what a
// requester holds to, or a responder has receives for: the reply that changed it
// may be lost on the wire and sent again, or wait to be looked at.
const settling = int64(time.Second)

// A window has the highest and the lowest of the grants that may be in force: those
// of one to two times settling, and the one before. The zero window knows none.
type window struct {
	since          int64 // when the present part of it began
	last           uint32
	present, prior span
}

// A span is the lowest and the highest grant in a part of time.
type span struct{ low, high uint32 }

// addGrant takes a grant. If others may have come before the first that a window knows,
// which is blind, any of them may still be in force for twice settling.
func (w *window) addGrant(granted uint32, time int64, blind bool) {
	if w.last == 0 {
		w.last, w.since = granted, time
		w.present = span{granted, granted}
		if blind {
			w.present = span{0, math.MaxUint32}
		}
		w.prior = w.present
	}
	w.roll(time)
	w.last = granted
	w.present = span{min(w.present.low, granted), max(w.present.high, granted)}
}

// roll begins the next part when it is time.
func (w *window) roll(time int64) {
	past := time - w.since
	if past < settling {
		return
	}
	w.prior = w.present
	if past >= 2*settling {
		w.prior = span{w.last, w.last}
	}
	w.present, w.since = span{w.last, w.last}, time
}

// most and least are the highest and the lowest grant that may be in force.
func (w *window) most(time int64) uint32 {
	w.roll(time)
	return max(w.prior.high, w.present.high)
}

func (w *window) least(time int64) uint32 {
	w.roll(time)
	return min(w.prior.low, w.present.low)
}
