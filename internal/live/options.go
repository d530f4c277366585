package live

import (
	"io"

	"github.com/rdmacap/rdmacap/capture"
	wire "github.com/rdmacap/rdmacap/capture/live"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/metrics"
)

// Options say what a session follows, and what becomes of it.
type Options struct {
	// Interfaces are captured on, or the one RDMA device that it names: mlx5_0, or mlx5_0:2
	// for its second port. If it is empty, From is read: a capture, a FIFO, or - for Stdin;
	// with Follow a capture that grows, or a folder in which one after the other is written.
	Interfaces []string
	From       string
	Follow     bool
	Stdin      io.Reader
	// Capture says how interfaces are captured on; the session adds Buffer, Tell and State.
	Capture wire.Options
	Memory  Division
	// Alone says that the process does nothing else: its memory is limited, and its
	// privileges are dropped when all is open.
	Alone bool

	// Keep says what is kept, nil for nothing, and Evidence makes what is kept around
	// findings.
	Keep     *Keeping
	Evidence *Evidence
	// HangUp has a new file of the ring begun when somebody asks, until it is released.
	HangUp func(reopen func()) (release func())

	// Version is that of rdmacap.
	Version string
	// Found says what is looked for, Shown what is shown of that and of traffic; Form makes of
	// that what is written to Out.
	Found check.Options
	Shown listing.Options
	Form  func(out io.Writer, o listing.Options) draft.Form
	Out   io.Writer
	// Address is where Metrics are answered, "" for nowhere.
	Address string
	Metrics metrics.Options
	// Answering is told, in a line, where they are answered, before anything is opened.
	Answering func(line string)

	// Input says how frames are read, and Stopping what ends that beside a context.
	Input    pipeline.Options
	Stopping pipeline.Stopping
	// Progress is shown while a capture is read that does not grow, nil for none.
	Progress func(files []*capture.File) pipeline.Progress
	// Notify is told, in a line, what a person is to know; Quiet leaves out what is not urgent.
	Notify func(line string)
	Quiet  bool
}

// names are those of interfaces or captures, by capture.Frame.File.
func (o *Options) names() []string {
	if len(o.Interfaces) > 0 {
		return o.Interfaces
	}
	return []string{o.From}
}
