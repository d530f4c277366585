package dissect

import "github.com/rdmacap/rdmacap/dissect/flow"

// What the unanswered calls of all connections weigh has a limit, and which calls are given
// up for that does not depend on how many shards follow the connections: it is decided by what
// all of them weighed some frames before, when no shard can be so far behind.
//
//	frames    |1 ... 512|513 ... 1024|            |4609 ... 5120|
//	              weighed ─────────────── decides ─────────────> given up
//
// So they may weigh more than the limit, by what comes in that many frames, or in fewer
// that are long.

const (
	// decideLag is after how many epochs that is done which was decided of one: by then no
	// shard is at work on its frames, since no more batches are underway.
	decideLag = mostBatches + 1
	// recentEpochs are those of which the weights are known one by one.
	recentEpochs = 64
)

// epochBytes is after how many bytes an epoch ends at the latest, with those of the frame that
// it ends with: few frames can advertise much memory. It is the most that a batch has.
const epochBytes = batchBytes + mostCounted

// mostCounted is how many bytes of a frame count.
const mostCounted = 32 << 10

// An epochClock says where epochs end.
type epochClock struct{ every, frames, bytes int }

// ends reports whether an epoch ends after the next frame of the capture. In a batch that can
// be only once, since every epoch has as many frames or bytes as a batch has at most.
func (e *epochClock) ends(f *flow.Frame) bool {
	e.frames++
	e.bytes += countedBytes(f)
	if e.frames < e.every && e.bytes < epochBytes {
		return false
	}
	e.frames, e.bytes = 0, 0
	return true
}

// countedBytes is how many bytes of a frame count.
func countedBytes(f *flow.Frame) int { return min(len(f.Data), mostCounted) }

// epochFrames is how many frames an epoch has at most, as many as a batch.
func (o *Options) epochFrames() int {
	if o.KeepBytes {
		return shownFrames
	}
	return batchFrames
}

// openWeights are what unanswered calls weigh, in bytes.
type openWeights struct {
	all    int
	recent [recentEpochs]int // of those that came in an epoch, by its number modulo recentEpochs
	conns  int               // that are open
}

// addWeights adds the weights of other connections.
func (w *openWeights) addWeights(o *openWeights) {
	w.all += o.all
	w.conns += o.conns
	for i, n := range o.recent {
		w.recent[i] += n
	}
}

// addWeight counts a call that came in an epoch, the current one; weight is less than 0 when
// it is answered, in whatever epoch that is.
func (w *openWeights) addWeight(epoch, current int64, weight int) {
	w.all += weight
	if current-epoch < recentEpochs {
		w.recent[epoch%recentEpochs] += weight
	}
}

// next begins an epoch.
func (w *openWeights) next(epoch int64) { w.recent[epoch%recentEpochs] = 0 }

// tooOld is the last epoch whose calls are to be given up, at the end of an epoch; less than 0
// if none are.
func (w *openWeights) tooOld(epoch int64) int64 {
	limit := maxOpen + w.conns*eachOpen
	if w.all <= limit {
		return -1
	}
	left := 0
	for _, n := range w.recent {
		left += n
	}
	old := max(epoch-recentEpochs, -1)
	for left > limit && old < epoch {
		old++
		left -= w.recent[old%recentEpochs]
	}
	return old
}

// openRPCs is what a Dissector knows of its epochs.
type openRPCs struct {
	weights openWeights
	epoch   int64 // the current one, from 0
	// old are what was decided of the last epochs, by their numbers modulo decideLag, for a
	// Dissector that has all connections.
	old [decideLag]int64
}

// giveUp ends the epoch after a frame of the capture, by its ordinal: the calls up to an
// epoch are given up.
func (d *Dissector) giveUp(ordinal, old int64) {
	if r := d.open.Oldest(); r != nil && r.epoch <= old {
		d.tracker.Leave(ordinal + 1)
		for ; r != nil && r.epoch <= old; r = d.open.Oldest() {
			d.tracker.InOrder(r.came)
			d.finish(r, EndedByBounds)
		}
	}
	d.openRPCs.weights.conns = d.conns
}

// nextEpoch begins the next epoch.
func (s *openRPCs) nextEpoch() {
	s.epoch++
	s.weights.next(s.epoch)
}

// endEpoch ends the epoch of a Dissector that has all connections.
func (d *Dissector) endEpoch(ordinal int64) {
	s := &d.openRPCs
	decided := &s.old[s.epoch%decideLag]
	if s.epoch >= decideLag {
		d.newest = d.sum.Last
		d.giveUp(ordinal, *decided)
	} else {
		d.giveUp(ordinal, -1)
	}
	*decided = s.weights.tooOld(s.epoch)
	s.nextEpoch()
}

// epochs are those of several shards, where frames are given to them.
type epochs struct {
	clock epochClock
	// ended is how many have, decided what is to be given up at the ends of the next ones.
	ended   int64
	decided []int64
}

// next ends an epoch, and returns the last one whose calls are to be given up, less than 0 for
// none.
func (e *epochs) next() (old int64) {
	if e.ended++; e.ended <= decideLag {
		return -1
	}
	old = e.decided[0]
	e.decided = append(e.decided[:0], e.decided[1:]...)
	return old
}
