package dissect

import (
	"sort"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/front"
	"github.com/rdmacap/rdmacap/dissect/shed"
)

const (
	// batchFrames and batchBytes are what a batch holds at most: about what a reader has in one
	// piece. Whoever waits for a batch has to be woken, which costs as much as tens of frames.
	// Of more, a few would not stay in a processor's cache, and what is found in them, which is
	// kept until it is told, may take much memory.
	batchFrames = 512
	batchBytes  = 256 << 10
	// shownFrames is how many frames a batch has where shards show the bytes: what is
	// said of a frame then has many times its length, and is kept until it is told.
	shownFrames = 128
)

// batch is a run of frames with their headers decoded.
type batch struct {
	frames []flow.Frame
	bytes  []byte // what the frames' Data point into, if the source does not keep them
	err    error  // what came after the last frame
	// order is what is to be done before the first frame.
	order shed.Order
	// idle is not 0 of a batch without frames: so late it is, and no frame came since the newest, which was of that time.
	idle, since int64

	// The rest is for shards.
	first    int64   // number of the first frame in the capture
	times    []int64 // before each frame the newest time, and after the last
	arrivals []front.Arrival
	expired  []expired
	work     [][]workItem    // of each shard
	weights  [][]openWeights // room of each shard for those of a cut
	// old are what is to be given up at the ends of epochs, one behind the other; decided what
	// is to be at the ends of others, see settling.
	old, decided []int64
}

// expired is what is to be retired at a frame.
type expired struct {
	front.Expired
	index int32 // of the frame
}

// An workItem is what a shard has to do of a batch.
type workItem struct {
	index int32 // of a frame, or of what is retired
	kind  workKind
}

type workKind uint8

const (
	takeFrame  workKind = iota // take it
	expireName                 // what serves another connection now
	noteDrop                   // before a frame, of whomever: some were dropped
	notePause                  // before a frame, of whomever: it pauses a link
	emitTick                   // after a frame, of whomever: time went by
	emitIdle                   // time went by, and there are no frames
	endEpoch                   // after a frame, of whomever: see settling
)

// spread notes what each frame is for, of a number of shards. Newest is the newest
// time before the batch, and then in it.
func (b *batch) spread(f *front.Front, shards int, newest int64, clock *Clock, e *epochs) int64 {
	e.decided = append(e.decided, b.decided...)
	b.old, b.decided = b.old[:0], b.decided[:0]
	b.first = f.Frames() + 1
	if b.work == nil {
		b.makeRoom(shards)
	}
	b.times, b.arrivals, b.expired = b.times[:0], b.arrivals[:0], b.expired[:0]
	for i := range b.work {
		b.work[i] = b.work[i][:0]
	}
	for i := range b.frames {
		x := &b.frames[i]
		a, gone := f.Arrive(x)
		for _, r := range gone {
			b.work[r.Shard] = append(b.work[r.Shard], workItem{int32(len(b.expired)), expireName})
			b.expired = append(b.expired, expired{r, int32(i)})
		}
		if x.Dropped() {
			b.forAll(workItem{int32(i), noteDrop})
		}
		if x.Link.Pauses() {
			b.forAll(workItem{int32(i), notePause})
		}
		b.work[a.Shard] = append(b.work[a.Shard], workItem{int32(i), takeFrame})
		b.arrivals = append(b.arrivals, a)
		b.times = append(b.times, newest)
		newest = max(newest, x.Time)
		if clock.Due(newest) {
			b.forAll(workItem{int32(i), emitTick})
		}
		if e.clock.ends(x) {
			b.forAll(workItem{int32(i), endEpoch})
			b.old = append(b.old, e.next())
		}
	}
	b.times = append(b.times, newest)
	if b.waited(newest) {
		b.forAll(workItem{0, emitIdle})
	}
	return newest
}

// makeRoom makes what spread needs for a full batch, in one piece each.
func (b *batch) makeRoom(shards int) {
	most := cap(b.frames)
	b.times, b.arrivals = make([]int64, 0, most+1), make([]front.Arrival, 0, most)
	b.work, b.weights = make([][]workItem, shards), make([][]openWeights, shards)
	for i := range b.work {
		b.work[i] = make([]workItem, 0, most/shards)
	}
}

// forAll gives all shards an errand.
func (b *batch) forAll(e workItem) {
	for s := range b.work {
		b.work[s] = append(b.work[s], e)
	}
}

// read fills a batch: at least one frame, unless there comes an error. It calls
// Next while the source is not ready only once, so a source that keeps frames
// for as many calls as there are batches keeps those of all batches; of one
// that does not, the bytes are copied.
func (b *batch) read(source capture.Source, ready capture.Ready, kept bool, o *Options) {
	b.frames, b.bytes, b.err, b.idle = b.frames[:0], b.bytes[:0], nil, 0
	for size := 0; len(b.frames) < cap(b.frames) && size < batchBytes; {
		b.frames = b.frames[:len(b.frames)+1]
		x := &b.frames[len(b.frames)-1]
		if b.err = source.Next(&x.Frame); b.err != nil {
			b.frames = b.frames[:len(b.frames)-1]
			return
		}
		size += countedBytes(x)
		if !kept {
			// Where append moves the bytes, the frames before keep the old ones.
			at := len(b.bytes)
			b.bytes = append(b.bytes, x.Data...)
			x.Data = b.bytes[at:len(b.bytes):len(b.bytes)]
		}
		x.Decode(o.Link)
		sumShort(x, o)
		if ready == nil || !ready.Ready() {
			return
		}
	}
}

// sumShort checks the checksum of a short TCP segment, which rules ask for, while its bytes are at hand.
func sumShort(x *flow.Frame, o *Options) {
	if o.Units {
		x.Link.CheckTCPSum(x.Data)
	}
}

// newest is the newest time before a frame of the batch, or of all frames up to the last
// of the batch for one that lies after it.
func (b *batch) newest(ordinal int64) int64 {
	return b.times[max(0, min(ordinal-b.first, int64(len(b.frames))))] // of a batch without frames, it lies before
}

// reached is the number of the frame at which an Arrival.Count was reached, which is one of
// the batch.
func (b *batch) reached(count int64) int64 {
	return b.first + int64(sort.Search(len(b.arrivals)-1, func(i int) bool { return b.arrivals[i].Count >= count }))
}
