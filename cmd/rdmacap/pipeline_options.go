package main

import (
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
)

// renderer is a sink that writes: what a command does with what is found.
type renderer interface {
	dissect.Sink
	// Err is the first error of writing: nobody reads on.
	Err() error
	// Flush writes out what was gathered.
	Flush() error
	// Finish writes what comes last.
	Finish(s dissect.Summary, elapsed time.Duration) error
}

// partedRenderer is one of which each worker writes parts.
type partedRenderer interface {
	renderer
	Part(d *dissect.Dissector) dissect.Part
}

type pipelineOptions struct {
	link link.Options
	// switchTime says that the time stamps of switches are the time of frames.
	switchTime bool
	iwarpPort  uint16
	bindings   *dissect.Bindings // nil for those of NFS
	data       dissect.DataSink  // nil if nobody wants what RDMA moves
	// through is what frames of a source go through on their way, nil for nothing; from is who
	// captures them.
	through  func(source, from capture.Source) capture.Source
	accesses dissect.AccessSink
	// over is called when the captures have no more frames, with all that was
	// wrong with reading them; nil if nobody asks.
	over       func(problems []error)
	units      bool // somebody looks at the frames
	keepOctets bool
	quiet      bool
	// part makes what takes the connections of one of several workers; nil if the
	// renderer takes all. More workers than one help only then.
	part    func(d *dissect.Dissector) dissect.Part
	workers int
	// parted says that the renderer is made of such parts, also where there is one worker.
	parted bool
	// relief leaves out what is too much; nil if all is followed, however long that takes.
	relief *relief
	// alone says that the process does nothing else, and following how many octets of
	// memory it may then take for that.
	alone     bool
	following int64
	// document says that the output is to be whole for who parses it, though no capture can
	// be opened.
	document bool
	// pauseBy is told what has all workers stand still; nil if nobody asks.
	pauseBy func(pause func(do func()))
	// asked is told when the user wants no more, and begun called when the input is open;
	// nil if nobody asks.
	asked   <-chan bool
	begun   func()
	monitor *monitor // nil if nobody asks for figures
}

// A feed is where frames come from.
type feed struct {
	source capture.Source
	// waits says that frames may have to be waited for, perhaps for long: what was found
	// is to be written before that.
	waits    bool
	unopened []error
	// tick is called after each batch of frames; over when no frame is needed any more.
	tick func()
	over func()
}
