package pipeline

import (
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
)

// Run runs frames through a dissector into a renderer, until they end or, where stop is not nil,
// are to end. An error is one of the renderer: what was wrong with the captures is in the result,
// whatever the error.
func Run(in Feed, out Renderer, o Options, stop *Stop) (Result, error) {
	links := newLinkWatch(in.Names)
	found, faults, err := dissectFeed(in, out, o, links, stop)
	return Result{
		Unopened: in.Unopened, Faults: faults, Links: links.problems(), Interrupted: stop.WasInterrupted(),
		Connections: found.Connections,
	}, err
}

// idleEvery is how often it is looked whether time goes by without frames: what hangs is known within a second of its
// limit.
const idleEvery = 250 * time.Millisecond

func dissectFeed(in Feed, out Renderer, o Options, links *linkWatch, stop *Stop) (found dissect.Summary, faults []error, err error) {
	began := o.now()
	from := in.Source
	if o.Begun != nil {
		o.Begun()
	}
	if o.SwitchTime {
		in.Source = capture.SwitchTime(in.Source, o.Link)
	}
	if o.Through != nil {
		in.Source = o.Through(in.Source, from)
	}
	if o.Starts != nil {
		in.Source = &starting{Source: in.Source, onStart: o.Starts}
	}
	var idle chan dissect.Idle
	if in.Waits {
		q := newQuiet(in.Source, o.now)
		in.Source = q
		idle = make(chan dissect.Idle)
		clock, done := time.NewTicker(idleEvery), make(chan struct{})
		defer clock.Stop()
		defer close(done)
		go q.run(clock.C, idle, done)
	}
	d := o.engine(out, links, idle)
	limited := o.Relief != nil && o.Relief.Limited()
	room := newGarbage(o.KeepBytes || limited)
	defer room.undo()
	faults, err = d.Run(in.Source, func(waiting bool) error {
		room.batch()
		in.Tick()
		if o.Relief != nil {
			o.Relief.Tick(o.now())
		}
		if waiting && in.Waits {
			return out.Flush() // somebody may be watching
		}
		return out.Err()
	})
	if err != nil {
		return found, nil, err
	}
	if o.Relief != nil {
		o.Relief.End(o.now())
	}
	in.Over()
	faults = others(faults)
	if o.Over != nil {
		o.Over(slices.Concat(each(in.Unopened), faults, stop.problem()))
	}
	d.Flush()
	found = d.Summary()
	return found, faults, out.Finish(found, o.now().Sub(began))
}
