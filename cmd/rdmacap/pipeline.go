package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
)

// judge has rules look at what is found.
func (o *pipelineOptions) judge(f *finding.Findings) {
	o.units, o.accesses, o.over = true, f, f.Over
	o.part, o.pauseBy = f.Part, f.PauseBy
}

// dissectFiles runs captures through a dissector into a renderer. A file that
// cannot be read to its end does not keep the others from being shown: its
// error is told last, and decides the exit status unless it only says that the
// file ends in the middle of a record.
func dissectFiles(ctx context.Context, s streams, names []string, out renderer, o pipelineOptions) error {
	links := newLinkWatch(names)
	return links.tell(s, followFiles(ctx, s, names, out, o, links))
}

// An engine follows what captures hold.
type engine interface {
	Run(source capture.Source, after func(waiting bool) error) (faults []error, err error)
	Flush()
	Summary() dissect.Summary
}

// engine makes the one that the options ask for.
func (o *pipelineOptions) engine(out renderer, links *linkWatch) engine {
	do := dissect.Options{
		Link: o.link, IWARPPort: o.iwarpPort, Bindings: o.bindings, Data: o.data, KeepOctets: o.keepOctets, Units: o.units,
		Accesses: o.accesses, Frames: links.frame,
	}
	if o.relief != nil {
		do.Shed = o.relief.shedder
	}
	if o.part != nil && (o.workers > 1 || o.parted) {
		shards := dissect.NewShards(max(1, o.workers), do, o.part)
		if o.pauseBy != nil {
			o.pauseBy(shards.Pause)
		}
		return shards
	}
	return dissect.New(out, do)
}

func followFiles(ctx context.Context, s streams, names []string, out renderer, o pipelineOptions, links *linkWatch) error {
	var stop *interruption
	if o.asked != nil || slices.ContainsFunc(names, func(name string) bool { return waits(s, name) }) {
		stop = interruptible(ctx, s, o.asked)
		defer stop.release()
	}
	files, unopened := openAll(s, names, stop)
	if len(files) == 0 {
		if o.document {
			if o.over != nil {
				o.over(each(unopened))
			}
			if err := out.Finish(dissect.Summary{}, 0); err != nil {
				return writeError(err)
			}
		}
		return stop.status(tell(s, stop.others(unopened), nil))
	}
	bar := newProgress(s, files, o.quiet)
	defer bar.clear()
	source := merge(files)
	if o.asked != nil {
		source = stop.source(source, !anyPipe(files))
	}
	return followFeed(s, feed{
		source: source, waits: anyPipe(files), unopened: unopened,
		tick: bar.tick,
		over: func() { bar.clear(); closeAll(files) },
	}, out, o, links, stop)
}

// tell prints what was wrong with the input and chooses the exit status: of
// captures that could not be opened, and of those that could not be read on.
func tell(s streams, unopened, faults []error) error {
	code := exitDone
	for _, err := range unopened {
		complain(s, "%v", err)
		code = exitUnusable
	}
	for _, err := range each(faults) {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			complain(s, "warning: %v", err)
			continue
		}
		complain(s, "%v", err)
		code = exitUnusable
	}
	if code != exitDone {
		return &statusError{code}
	}
	return nil
}

// openAll opens the captures, and returns the errors of those that it cannot.
func openAll(s streams, names []string, stop *interruption) (files []*capture.File, unopened []error) {
	for i, name := range names {
		f, err := open(s, name, i, stop)
		if err != nil {
			unopened = append(unopened, err)
			continue
		}
		files = append(files, f)
	}
	return files, unopened
}

func open(s streams, name string, index int, stop *interruption) (*capture.File, error) {
	switch {
	case name != "-" && waits(s, name):
		f, err := openFIFO(name)
		if err != nil {
			return nil, fmt.Errorf("%s: cannot be opened: %w", name, plainError(err))
		}
		return capture.NewReader(stop.reader(f), name, index) // which goes with the process
	case name != "-":
		return capture.Open(name, index)
	}
	in := s.in
	if f, ok := in.(*os.File); ok && waits(s, name) {
		in = stop.reader(f)
	}
	return capture.NewReader(in, "standard input", index)
}

// waits reports whether a capture comes from something that may have to be waited for,
// and can be interrupted: standard input that is no file, or a FIFO.
func waits(s streams, name string) bool {
	if name != "-" {
		info, err := os.Stat(name)
		return err == nil && info.Mode()&os.ModeNamedPipe != 0
	}
	f, ok := s.in.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// anyPipe reports whether a capture comes from something that may wait.
func anyPipe(files []*capture.File) bool {
	for _, f := range files {
		if f.Size() < 0 {
			return true
		}
	}
	return false
}

func closeAll(files []*capture.File) {
	for _, f := range files {
		f.Close() // read only: nothing is lost
	}
}

func merge(files []*capture.File) capture.Source {
	sources := make([]capture.Source, len(files))
	for i, f := range files {
		sources[i] = f
	}
	return capture.Merge(sources)
}

// followFeed runs frames through a dissector into a renderer.
func followFeed(s streams, in feed, out renderer, o pipelineOptions, links *linkWatch, stop *interruption) error {
	began := s.now()
	from := in.source
	if o.begun != nil {
		o.begun()
	}
	if o.switchTime {
		in.source = capture.SwitchTime(in.source, o.link)
	}
	if o.through != nil {
		in.source = o.through(in.source, from)
	}
	d := o.engine(out, links)
	batches, undo := 0, func() {}
	defer func() { undo() }()
	faults, err := d.Run(o.monitor.begin(in.source), func(waiting bool) error {
		if batches++; batches == longBatches && !o.keepOctets && !o.relief.limits() {
			undo = longCapture()
		}
		in.tick()
		if o.relief != nil {
			o.relief.tick(s.now())
		}
		if waiting && in.waits {
			return out.Flush() // somebody may be watching
		}
		return out.Err()
	})
	if err != nil {
		return writeError(err)
	}
	if o.relief != nil {
		o.relief.tell(s.now())
	}
	in.over()
	o.monitor.end()
	faults = stop.others(faults)
	if o.over != nil {
		o.over(slices.Concat(each(in.unopened), faults, stop.problem()))
	}
	d.Flush()
	if err := out.Finish(d.Summary(), s.now().Sub(began)); err != nil {
		return writeError(err)
	}
	return stop.status(tell(s, in.unopened, faults))
}
