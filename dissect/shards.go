package dissect

import (
	"cmp"
	"slices"
	"sync"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/front"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
)

// Connections are followed apart: each by one of several goroutines, a shard, from
// its packets to whatever is reported of it. What a frame is for is decided before, in
// the order of the capture, and what shards say is put together after them, in that
// order again.
//
//	                 ┌─> Dissector ─> Part ─┐
//	source ─> batch ─┼─> Dissector ─> Part ─┼─> Queues, in the order of the capture
//	     (front)     └─> Dissector ─> Part ─┘
//
// A batch goes to all shards at once, each of which takes its own frames out of it.

// A Part is the Sink of a shard. It must not tell anybody else what it is told, since
// other shards may be further on or after: it keeps what is to be told. If it is an
// AccessSink, it receives RDMA operations too; if it is a Ticker, that time goes by.
type Part interface {
	Sink
	// Flush returns what it keeps since it was called last. The Queue is told by another
	// goroutine, some time later.
	Flush() Queue
}

// A Ticker hears that time went by, by a Clock of all frames: the newest is of a time
// in nanoseconds since 1970.
type Ticker interface {
	Tick(now int64)
}

// A Queue is what a Part has to tell, by position.
type Queue interface {
	Len() int
	// At is when the i-th was found, and Tell reports it. They are called in order.
	At(i int) flow.Position
	Emit(i int)
	// Done is called when all was told.
	Done()
}

// Shards dissect a capture on several cores.
type Shards struct {
	front   *front.Front
	shards  []*shard
	most    int     // frames of a batch
	opts    Options // Link, Frames and Shed
	numbers int     // connections that have one
	decided int64   // epochs of which was decided
}

// A shard follows some of the connections.
type shard struct {
	*Dissector
	part   Part
	ticker Ticker // the part, if it is one
	made   []made // connections since the last cut
	// weights are those at the ends of epochs since then.
	weights []openWeights
	// working is held while it takes a batch.
	working sync.Mutex
}

// A made connection has no number yet.
type made struct {
	conn *flow.Conn
	at   flow.Position
}

// A cut is what a shard has to say about a batch.
type cut struct {
	batch *batch
	made  []made
	queue Queue
	// weights are those at the ends of epochs in the batch.
	weights []openWeights
}

// NewShards returns n Shards, with a Part made for each. What is done where in the
// capture a Part may ask of the Dissector that it is handed. Options.Accesses is not
// used, see Part.
func NewShards(n int, opts Options, part func(d *Dissector) Part) *Shards {
	s := &Shards{front: front.New(n, opts.IWARPPort), most: batchFrames, opts: opts}
	if opts.KeepBytes {
		s.most = shownFrames
	}
	bindings := opts.Bindings
	if bindings == nil {
		bindings = new(Bindings)
	}
	for range n {
		x := new(shard)
		opts.Bindings = bindings.forAnother()
		x.Dissector = newShard(nil, opts, n, func(c *flow.Conn) {
			x.made = append(x.made, made{c, x.tracker.At()})
		})
		x.tracker.SkipBy(func(count int64) int64 { return x.batch.reached(count) })
		x.part = part(x.Dissector)
		x.sink = x.part
		x.ticker, _ = x.part.(Ticker)
		x.opts.Accesses, _ = x.part.(AccessSink)
		s.shards = append(s.shards, x)
	}
	return s
}

// At is what is done now: at which frame of the capture, and before or for it.
func (d *Dissector) At() flow.Position { return d.tracker.At() }

// Newest is the newest time of all frames of the capture before the one of At, in
// nanoseconds since 1970, whoever follows them.
func (d *Dissector) Newest() int64 {
	if d.batch == nil {
		return d.newest
	}
	return d.batch.newest(d.tracker.At().Ordinal)
}

// Reached is the newest time of all frames of the capture up to the last that a shard was
// handed, whoever follows them, or how late it is while none comes: for Part.Flush.
func (d *Dissector) Reached() int64 {
	if d.batch == nil {
		return d.newest
	}
	return max(d.batch.times[len(d.batch.frames)], d.batch.idle)
}

// Run is that of Dissector.
func (s *Shards) Run(source capture.Source, after func(waiting bool) error) (faults []error, err error) {
	batches := batchesFor(len(s.shards))
	full, empty := make(chan *batch, batches), make(chan *batch, batches)
	stop := make(chan struct{})
	defer close(stop)
	for range batches {
		empty <- &batch{frames: make([]flow.Frame, 0, s.most)}
	}
	to, from := make([]chan *batch, len(s.shards)), make([]chan cut, len(s.shards))
	var working sync.WaitGroup
	for i, x := range s.shards {
		// Nobody has to wait who has a batch in hand.
		to[i], from[i] = make(chan *batch, batches), make(chan cut, batches)
		working.Go(func() { x.work(i, to[i], from[i]) })
	}
	go feed(source, &s.opts, batches, full, empty, stop)
	go s.spread(full, to)
	var (
		used []*batch
		cuts []cut
		more bool
	)
	for {
		if cuts, more = collect(cuts[:0], from); !more {
			break
		}
		s.emit(cuts)
		b := cuts[0].batch
		for i := range cuts[0].weights {
			b.decided = append(b.decided, s.decide(cuts, i))
		}
		if b.err != nil {
			faults = append(faults, b.err)
		}
		if used = append(used, b); len(used) == batches/2 {
			used = giveBack(used, empty)
		}
		if err := after(len(from[0]) == 0); err != nil {
			return faults, err
		}
	}
	working.Wait()
	return faults, nil
}

// Pause calls do while no shard is at work. It is for Queue.Emit.
func (s *Shards) Pause(do func()) {
	for _, x := range s.shards {
		x.working.Lock()
		defer x.working.Unlock()
	}
	do()
}

// spread decides what each frame of the batches is for, and hands them on.
func (s *Shards) spread(full <-chan *batch, to []chan *batch) {
	var (
		newest int64
		clock  Clock
		epochs = epochs{clock: epochClock{every: s.opts.epochFrames()}}
		below  int // shed.Order's, of the last batch
	)
	for b := range full {
		if b.order.Below > below {
			s.front.LetGo(between(below, b.order.Below))
		}
		if b.idle == 0 {
			below = b.order.Below
		}
		for i := range b.frames {
			if s.opts.Frames == nil {
				break
			}
			s.opts.Frames(&b.frames[i])
		}
		newest = b.spread(s.front, len(to), newest, &clock, &epochs)
		for _, c := range to {
			c <- b
		}
	}
	for _, c := range to {
		close(c)
	}
}

// work takes the shard's frames of each batch.
func (x *shard) work(index int, from <-chan *batch, to chan<- cut) {
	for b := range from {
		x.working.Lock()
		x.batch, x.weights = b, b.weights[index][:0]
		if b.idle == 0 {
			x.obey(b.order)
		}
		for _, e := range b.work[index] {
			switch e.kind {
			case takeFrame:
				x.takeFrame(&b.frames[e.index], &b.arrivals[e.index])
			case expireName:
				r := &b.expired[e.index]
				x.tracker.Advance(&b.arrivals[r.index])
				x.tracker.Expire(&r.Expired)
			case noteDrop:
				x.tracker.Advance(&b.arrivals[e.index])
				x.tracker.Dropped(&b.frames[e.index])
			case notePause:
				x.paused(&b.frames[e.index])
			case emitTick:
				x.tracker.Tick(&b.arrivals[e.index])
				if x.ticker != nil {
					x.ticker.Tick(b.times[e.index+1])
				}
			case emitIdle:
				if x.ticker != nil {
					x.ticker.Tick(max(b.times[0], b.idle))
				}
			case endEpoch:
				a := &b.arrivals[e.index]
				x.tracker.Advance(a)
				x.giveUp(a.Ordinal, b.old[len(x.weights)])
				x.weights = append(x.weights, x.openRPCs.weights)
				x.openRPCs.nextEpoch()
			}
		}
		if n := len(b.arrivals); n > 0 {
			x.tracker.Advance(&b.arrivals[n-1])
		}
		b.weights[index] = x.weights
		c := x.cut()
		x.working.Unlock()
		to <- c
	}
	close(to)
}

func (x *shard) cut() cut {
	c := cut{x.batch, x.made, x.part.Flush(), x.weights}
	x.made, x.weights = nil, nil
	return c
}

// Flush ends the capture: what still waits is settled and told.
func (s *Shards) Flush() {
	var waiting []int64
	for _, x := range s.shards {
		waiting = x.tracker.Waiting(waiting)
	}
	slices.Sort(waiting)
	for i := flushAtOnce; i < len(waiting); i += flushAtOnce {
		s.inTurn(func(x *shard) { x.tracker.FlushWaiting(waiting[i]) })
	}
	for part := range track.Flushing {
		s.inTurn(func(x *shard) { x.tracker.Flush(part) })
	}
}

// flushAtOnce is how many of what waits are settled, of all shards, before any of it is told:
// it is in memory until then.
const flushAtOnce = 512

// inTurn has each shard do something at the end of the capture, and reports what came of it.
func (s *Shards) inTurn(do func(x *shard)) {
	cuts := make([]cut, len(s.shards))
	var working sync.WaitGroup
	for i, x := range s.shards {
		working.Go(func() {
			do(x)
			x.pool.release()
			cuts[i] = x.cut()
		})
	}
	working.Wait()
	s.emit(cuts)
}

// Summary returns the counts so far; those of connections that are still open
// come with Flush.
func (s *Shards) Summary() (sum Summary) {
	for _, x := range s.shards {
		sum.join(&x.sum)
	}
	return sum
}

// join adds the counts of other frames.
func (s *Summary) join(o *Summary) {
	s.Frames += o.Frames
	s.Bytes += o.Bytes
	s.Connections += o.Connections
	s.Messages += o.Messages
	s.RPCs += o.RPCs
	s.IncompleteRPCs += o.IncompleteRPCs
	s.NotRDMAFrames += o.NotRDMAFrames
	s.MalformedFrames += o.MalformedFrames
	s.BadICRC += o.BadICRC
	s.BadCRC += o.BadCRC
	s.LostInCapture += o.LostInCapture
	s.LostOnWire += o.LostOnWire
	s.Retransmissions += o.Retransmissions
	s.Duplicates += o.Duplicates
	s.Reordered += o.Reordered
	if o.First != 0 {
		s.First = cmp.Or(min(s.First, o.First), o.First)
	}
	s.Last = max(s.Last, o.Last)
}
