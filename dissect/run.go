package dissect

import (
	"errors"
	"io"
	"sync"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// Reading and decoding frames takes about as long as following what they say,
// and needs nothing of it: so one goroutine does the first, a batch ahead, and
// the caller's does the second.
//
//	source ──> batch ──> batch ──> Dissector ──> Sink
//	            ^                     │
//	            └────── empty ────────┘

// batches is one that is filled, one that is dissected, and two between.
const batches = 4

// batchesFor is how many are underway to several shards. It takes more the more there are:
// connections follow one another in a capture, and a shard goes on with its own while another
// is behind.
func batchesFor(shards int) int { return min(2+2*shards, mostBatches) }

const mostBatches = 8

// Run takes all frames of a source. It calls after now and then, with waiting
// if no further frame has come yet: the time to write out what was found. An
// error of after ends the run and is returned; the source may then still be in
// use for one read. Errors of the source are returned apart, as faults: they do
// not keep the frames after them from being read. Run does not flush.
//
// A batch is handed on when it is full, or when the source would have to wait
// for more: on a pipe, what is found is told as soon as its frames have come.
func (d *Dissector) Run(source capture.Source, after func(waiting bool) error) (faults []error, err error) {
	full, empty := make(chan *batch, batches), make(chan *batch, batches)
	stop := make(chan struct{})
	defer close(stop)
	for range batches {
		empty <- &batch{frames: make([]flow.Frame, 0, batchFrames)}
	}
	go feed(source, &d.opts, batches, full, empty, stop)
	ticker, _ := d.sink.(Ticker)
	var used []*batch
	for b := range full {
		if b.idle == 0 {
			d.obey(b.order)
		}
		for i := range b.frames {
			d.process(&b.frames[i])
		}
		// Every frame up to here has been taken, the last one too, which newest leaves out so far.
		if d.newest = d.sum.Last; b.waited(d.newest) && ticker != nil {
			ticker.Tick(max(d.newest, b.idle))
		}
		if b.err != nil {
			faults = append(faults, b.err)
		}
		if used = append(used, b); len(used) == batches/2 {
			used = giveBack(used, empty)
		}
		if err := after(len(full) == 0); err != nil {
			return faults, err
		}
	}
	return faults, nil
}

// giveBack hands used batches to the reader, several at a time: it is woken less often.
func giveBack(used []*batch, empty chan<- *batch) []*batch {
	for _, b := range used {
		empty <- b
	}
	return used[:0]
}

// feed hands on batches of frames, and between them that there are none, until the source ends or nobody takes them any
// more.
func feed(source capture.Source, o *Options, batches int, full chan<- *batch, empty <-chan *batch, stop <-chan struct{}) {
	defer close(full)
	ended := make(chan struct{})
	var working sync.WaitGroup
	if o.Idle != nil {
		working.Go(func() { idle(o.Idle, full, empty, ended, stop) })
	}
	fill(source, o, batches, full, empty, stop)
	close(ended)
	working.Wait()
}

// waited reports whether a batch says that time went by without frames. One that came meanwhile, after what was the newest,
// takes that back: it was on its way.
func (b *batch) waited(newest int64) bool {
	if b.idle > 0 && b.since < newest {
		b.idle = never
	}
	return b.idle > never
}

// never is the time of a batch without frames that means nothing any more: every frame is later.
const never = 1

// idle hands on a batch without frames for each time that comes.
func idle(times <-chan Idle, full chan<- *batch, empty <-chan *batch, ended, stop <-chan struct{}) {
	for {
		var x Idle
		select {
		case x = <-times:
		case <-ended:
			return
		case <-stop:
			return
		}
		var b *batch
		select {
		case b = <-empty:
		default:
			continue // frames are underway
		}
		*b = batch{frames: b.frames[:0], bytes: b.bytes[:0], idle: x.Now, since: x.Newest, times: b.times, arrivals: b.arrivals, expired: b.expired, work: b.work, weights: b.weights, old: b.old, decided: b.decided}
		select {
		case full <- b:
		case <-stop:
			return
		}
	}
}

// fill reads batches until the source ends or nobody takes them any more.
func fill(source capture.Source, o *Options, batches int, full chan<- *batch, empty <-chan *batch, stop <-chan struct{}) {
	ready, _ := source.(capture.Ready)
	keeper, ok := source.(capture.Keeper)
	kept := ok && ready != nil && keeper.Keep(batches+1)
	for {
		var b *batch
		select {
		case b = <-empty:
		case <-stop:
			return
		}
		if o.Shed == nil {
			b.read(source, ready, kept, o)
		} else {
			b.readFollowed(source, ready, kept, o)
		}
		ended := errors.Is(b.err, io.EOF)
		if ended {
			b.err = nil
		}
		select {
		case full <- b:
		case <-stop:
			return
		}
		if ended {
			return
		}
	}
}
