package pipeline

import "runtime/debug"

// How much garbage may come together before it is collected, in percent of what is in
// use: at first so much that a short capture is done without a collection, and less when
// a capture turns out to be long. That costs nothing that can be measured, since nothing is
// allocated per frame, unless bytes are shown.
const (
	// StartGarbage is for a process that has read nothing yet.
	StartGarbage = 200
	longGarbage  = 100
	// longBatches is how many batches of frames make a long capture.
	longBatches = 64
)

// longCapture has less garbage come together, and returns what undoes that.
func longCapture() (undo func()) {
	was := debug.SetGCPercent(longGarbage)
	return func() { debug.SetGCPercent(was) }
}
