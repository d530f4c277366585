package pipeline

import (
	"context"
	"io"
	"slices"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
)

// Files are captures that are merged by time.
type Files struct {
	// Names are those of files, FIFOs, and - for Stdin.
	Names []string
	Stdin io.Reader
	// Stopping ends the reading where it may have to be waited for one of them, or where
	// somebody asks.
	Stopping Stopping
	// Progress is shown meanwhile, nil for none.
	Progress func(files []*capture.File) Progress
}

// A Progress shows how far the reading is.
type Progress interface {
	// Tick is called after each batch of frames, Clear when that is over.
	Tick()
	Clear()
}

// Run runs captures through a dissector into a renderer. A file that cannot be read to its end
// does not keep the others from being shown. An error is one of the renderer.
func (x Files) Run(ctx context.Context, out Renderer, o Options) (Result, error) {
	var stop *Stop
	if x.Stopping.Asked != nil || slices.ContainsFunc(x.Names, x.waits) {
		stop = NewStop(ctx, x.Stopping)
		defer stop.Release()
	}
	files, unopened := x.open(stop)
	if len(files) == 0 {
		return x.none(out, o, unopened, stop)
	}
	tick, clear := func() {}, func() {}
	if x.Progress != nil {
		p := x.Progress(files)
		tick, clear = p.Tick, p.Clear
	}
	defer clear()
	source := merge(files)
	if x.Stopping.Asked != nil {
		source = &endable{source, stop, !anyPipe(files)}
	}
	return Run(Feed{
		Names: x.Names, Source: source, Waits: anyPipe(files), Unopened: unopened,
		Tick: tick,
		Over: func() { clear(); closeAll(files) },
	}, out, o, stop)
}

// none is what comes of captures of which none could be opened.
func (x Files) none(out Renderer, o Options, unopened []error, stop *Stop) (Result, error) {
	r := Result{Unopened: others(unopened), Interrupted: stop.WasInterrupted()}
	if !o.Document {
		return r, nil
	}
	if o.Over != nil {
		o.Over(each(unopened))
	}
	return r, out.Finish(dissect.Summary{}, 0)
}

// anyPipe reports whether a capture comes from something that may wait.
func anyPipe(files []*capture.File) bool {
	return slices.ContainsFunc(files, func(f *capture.File) bool { return f.Size() < 0 })
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
