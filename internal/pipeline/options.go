package pipeline

import (
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/shed"
)

// A Renderer is a sink that writes: what a command does with what is found.
type Renderer interface {
	dissect.Sink
	// Err is the first error of writing: nobody reads on.
	Err() error
	// Flush writes out what was gathered.
	Flush() error
	// Finish writes what comes last. Elapsed is how long reading took.
	Finish(s dissect.Summary, elapsed time.Duration) error
}

// A PartedRenderer is one of which each worker writes parts.
type PartedRenderer interface {
	Renderer
	Part(d *dissect.Dissector) dissect.Part
}

// Options say how captures are read, and who looks at what is found.
type Options struct {
	Link link.Options
	// SwitchTime says that the time stamps of switches are the time of frames.
	SwitchTime bool
	// IWARPPort is a TCP port that carries iWARP in addition to 20049, 0 for none.
	IWARPPort uint16
	Bindings  *dissect.Bindings // nil for those of NFS
	Data      dissect.DataSink  // nil if nobody wants what RDMA moves
	Accesses  dissect.AccessSink
	// Units says that somebody looks at the frames, KeepBytes that it does so at their bytes.
	Units, KeepBytes bool
	// Part makes what takes the connections of one of several workers; nil if the
	// renderer takes all. More workers than one help only then. Parted says that the renderer
	// is made of such parts, also where there is one worker.
	Part    func(d *dissect.Dissector) dissect.Part
	Workers int
	Parted  bool
	// PauseBy is told what has all workers stand still; nil if nobody asks.
	PauseBy func(pause func(do func()))

	// Document says that the output is to be whole for who parses it, though no capture can
	// be opened.
	Document bool
	// Over is called when the captures have no more frames, with all that was
	// wrong with reading them; nil if nobody asks.
	Over func(problems []error)
	// Starts is told the time of the first frame that has one, in nanoseconds since 1970, before
	// anything is found; nil if nobody asks.
	Starts func(ns int64)
	// Begun is called when the input is open; nil if nobody asks.
	Begun func()
	// Through is what frames of a source go through on their way, nil for nothing; from is who
	// captures them.
	Through func(source, from capture.Source) capture.Source

	// Clock is time.Now, or what a test has for it; nil for time.Now.
	Clock func() time.Time
	// Relief leaves out what is too much; nil if all is followed, however long that takes.
	Relief Relief
}

// A Checker looks at what is found, and says what is wrong.
type Checker interface {
	dissect.AccessSink
	// Part, PauseBy and Over are what Options have of these names.
	Part(d *dissect.Dissector) dissect.Part
	PauseBy(pause func(do func()))
	Over(problems []error)
}

// Checked are the options where a judge looks at what is found.
func (o Options) Checked(by Checker) Options {
	o.Units, o.Accesses, o.Over = true, by, by.Over
	o.Part, o.PauseBy = by.Part, by.PauseBy
	return o
}

// A Relief keeps an analysis that cannot wait within what it may take of time and memory.
type Relief interface {
	// Shedder says which connections are not followed.
	Shedder() *shed.Shedder
	// Limited reports whether memory has a limit: garbage may then come together up to that.
	Limited() bool
	// Tick is called after each batch of frames, and End after the last.
	Tick(now time.Time)
	End(now time.Time)
}

func (o *Options) now() time.Time {
	if o.Clock == nil {
		return time.Now()
	}
	return o.Clock()
}

// A Feed is where frames come from.
type Feed struct {
	// Names are those of its captures, by capture.Frame.File.
	Names  []string
	Source capture.Source
	// Waits says that frames may have to be waited for, perhaps for long: what was found
	// is to be written before that.
	Waits bool
	// Unopened are the errors of captures that are missing.
	Unopened []error
	// Tick is called after each batch of frames; Over when no frame is needed any more.
	Tick, Over func()
}
