package check

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A View is told while connections go on, besides what is written, and on the same goroutine: a
// screen, or counts for monitoring. It is data: what is nil it is not told of. Like every
// dissect.Sink it may keep nothing that it is handed, but connections until they are over.
type View struct {
	// All receives all that is found.
	All dissect.Sink
	// Part returns the receiver of what one shard finds, on its goroutine, in place of All.
	// Fresh is then told only of findings that are reported across connections. If Part is nil,
	// it receives copies of all findings, in their order.
	Part func() ViewPart
	// Notes returns, where there is no Part, what notes for All what one shard finds, on its
	// goroutine. What it noted is told in the order of the capture, like Fresh, and All is not
	// told of it. If it is nil too, and All is not, there can be no shards.
	Notes func() Notes
	// NewFinding receives a finding that is to be shown, as soon as it is reported.
	NewFinding func(f *finding.Finding)
	// Reached is told that all was told, wherever, of the frames up to the newest one of a time
	// in nanoseconds since 1970: where there are shards, or All is nil.
	Reached func(time int64)
	// Dropped is told how many frames were dropped by a time in nanoseconds since 1970,
	// whenever there are more.
	Dropped func(d finding.Drops, time int64)
}

// A ViewPart is what a View has for a shard. Connections have no numbers there.
type ViewPart interface {
	dissect.Sink
	// NewFinding is that of View.
	NewFinding(f *finding.Finding)
	// Cut is called when a batch of frames is done.
	Cut()
}

// Notes note for a View what a shard finds, until that is told in the order of the capture: only
// then connections have numbers, and limits are those of all of them.
type Notes interface {
	dissect.Sink
	// Kept is how many elements Cut would return now.
	Kept() int
	// Flush is called when a batch of frames is done, and returns what was noted of it.
	Flush() Noted
}

// Noted is what was noted of a batch. It is told by another goroutine, some time later.
type Noted interface {
	// Emit tells the i-th element. It is called in order, between elements of other shards.
	Emit(i int)
	// Done is called when all was told, of all shards.
	Done()
}

// ordered reports whether shards have a view told of findings in their order.
func (v *View) ordered() bool { return v.Part == nil }

// shardable reports whether there may be shards.
func (v *View) shardable() bool { return v.All == nil || v.Part != nil || v.Notes != nil }

func (v *View) reached(time int64) {
	if v.Reached != nil {
		v.Reached(time)
	}
}
