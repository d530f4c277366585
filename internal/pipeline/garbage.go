package pipeline

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
)

// How much garbage may come together before it is collected, in percent of what is in
// use: at first so much that a short capture is done without a collection, and less when
// a capture turns out to be long. That costs nothing that can be measured, since nothing is
// allocated per frame, unless bytes are shown. Where much is in use, as of ten thousand
// connections or of what an attacker makes, as much garbage again would be the larger half
// of the memory.
const (
	// StartGarbage is for a process that has read nothing yet.
	StartGarbage = 200
	longGarbage  = 100
	// longBatches is how many batches of frames make a long capture.
	longBatches = 64

	// From so many bytes in use on there is less.
	largeHeap, largeGarbage = 20 << 20, 50
	hugeHeap, hugeGarbage   = 32 << 20, 33
)

// garbage says how much may come together, batch by batch.
type garbage struct {
	chosen   bool // by who runs the process: it stays
	keepLong bool // a long capture is no reason to have less
	batches  int
	was      int // what it was before the first change, if changed
	changed  bool
	now      int
	live     [1]metrics.Sample
}

// GarbageChosen reports whether the environment says how much may come together (GOGC, as package
// runtime describes): then that holds, whatever is in use.
func GarbageChosen() bool { return os.Getenv("GOGC") != "" }

func newGarbage(keepLong bool) *garbage {
	g := &garbage{chosen: GarbageChosen(), keepLong: keepLong}
	g.live[0].Name = "/gc/heap/live:bytes"
	return g
}

// batch notes that another batch of frames was taken.
func (g *garbage) batch() {
	if g.chosen {
		return
	}
	g.batches++
	if g.batches == longBatches && !g.keepLong {
		g.atMost(longGarbage)
	}
	// After a few batches more it may be too late.
	switch inUse := g.inUse(); {
	case inUse > hugeHeap:
		g.atMost(hugeGarbage)
	case inUse > largeHeap:
		g.atMost(largeGarbage)
	}
}

// inUse is how many bytes were in use at the last collection.
func (g *garbage) inUse() uint64 {
	metrics.Read(g.live[:])
	if g.live[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return g.live[0].Value.Uint64()
}

// atMost has no more than so much come together from now on.
func (g *garbage) atMost(percent int) {
	if g.changed && g.now <= percent {
		return
	}
	was := debug.SetGCPercent(percent)
	if !g.changed {
		g.was, g.changed = was, true
	}
	g.now = percent
}

// undo makes it what it was.
func (g *garbage) undo() {
	if g.changed {
		debug.SetGCPercent(g.was)
	}
}
