package check

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A View is told while connections go on, besides what is written, and on the same goroutine: a
// screen, or counts for monitoring. It is data: what is nil it is not told of. Like every
// dissect.Sink it may keep nothing that it is handed, but connections until they are over.
type View struct {
	// All is told of all that is found.
	All dissect.Sink
	// Part returns what is told of what one shard finds, on its goroutine, in place of All:
	// which is then told only of findings that are said across connections, and of drops. If it
	// is nil, and All is not, there can be no shards. If both are nil, Fresh is told of copies
	// of all findings, in their order.
	Part func() ViewPart
	// Fresh is told of a finding that is to be shown, as soon as it is said.
	Fresh func(f *finding.Finding)
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
	// Fresh is that of View.
	Fresh(f *finding.Finding)
	// Cut is called when a batch of frames is done.
	Cut()
}

// ordered reports whether a view wants only findings.
func (v *View) ordered() bool { return v.All == nil && v.Part == nil }

func (v *View) reached(time int64) {
	if v.Reached != nil {
		v.Reached(time)
	}
}
