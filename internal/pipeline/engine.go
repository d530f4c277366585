package pipeline

import (
	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
)

// An engine follows what captures hold.
type engine interface {
	Run(source capture.Source, after func(waiting bool) error) (faults []error, err error)
	Flush()
	Summary() dissect.Summary
}

// engine makes the one that the options ask for.
func (o *Options) engine(out Renderer, links *linkWatch, idle <-chan dissect.Idle) engine {
	do := dissect.Options{
		Link: o.Link, IWARPPort: o.IWARPPort, Bindings: o.Bindings, Data: o.Data, KeepBytes: o.KeepBytes, Units: o.Units,
		Accesses: o.Accesses, Frames: links.frame, Idle: idle,
	}
	if o.Relief != nil {
		do.Shed = o.Relief.Shedder()
	}
	if o.Part != nil && (o.Workers > 1 || o.Parted) {
		shards := dissect.NewShards(max(1, o.Workers), do, o.Part)
		if o.PauseBy != nil {
			o.PauseBy(shards.Pause)
		}
		return shards
	}
	return dissect.New(out, do)
}
