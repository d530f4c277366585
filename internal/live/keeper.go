package live

import (
	"fmt"
	"sync/atomic"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/keep"
	wire "github.com/rdmacap/rdmacap/capture/live"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
)

// Keeping says what is kept of what is captured, and where.
type Keeping struct {
	// Dir is the folder.
	Dir string
	// Ring limits the files with every frame, nil for none.
	Ring *keep.Limits
	// Evidence limit what is kept around findings of severity Least or worse, nil for nothing.
	Evidence *keep.Evidence
	Least    finding.Severity
}

// Memory is how many bytes it takes to keep frames, 0 where k is nil.
func (k *Keeping) Memory() (n int64) {
	if k == nil {
		return 0
	}
	if n = keep.Underway; k.Evidence != nil {
		n += k.Evidence.Around.Memory
	}
	return n
}

// A recorder keeps what is captured, while a session runs. A nil one keeps nothing.
type recorder struct {
	*keep.Recorder
	least finding.Severity
	// drops reports what an interface dropped, if frames come from one.
	drops   atomic.Pointer[wire.Source]
	release func()
	now     int64 // time of the frame that was analysed last
}

// keeping begins to keep frames.
func (s *Session) keeping() (*recorder, error) {
	k := s.Keep
	if k == nil {
		return nil, nil
	}
	x := &recorder{least: k.Least}
	options := keep.Options{
		Dir: k.Dir, Ring: k.Ring, Wait: s.From != "", Program: "rdmacap " + s.Version,
		Describe: func(f *capture.Frame) (name, description string) {
			if len(s.Interfaces) > 0 {
				return s.names()[f.File], ""
			}
			return "", fmt.Sprintf("interface %d of %s", f.Interface, pipeline.FileName(s.names()[f.File]))
		},
		Drops: x.dropped,
		Notify: func(line string, urgent bool) {
			if urgent || !s.Quiet {
				s.Notify(line)
			}
		},
	}
	if s.From != "" {
		options.Rights = pipeline.Files{Names: []string{s.From}, Stdin: s.Stdin}.Rights()
	}
	if k.Evidence != nil {
		excerpts := *k.Evidence
		excerpts.Make = s.Evidence.Make
		options.Evidence = &excerpts
	}
	var err error
	if x.Recorder, err = keep.Open(options); err != nil {
		return nil, err
	}
	x.release = s.HangUp(x.Reopen)
	return x, nil
}

// dropped are the frames of an interface that were dropped before the ring, and by it.
func (k *recorder) dropped(file int) (before, ring int64) {
	if source := k.drops.Load(); source != nil {
		d := source.DropsOf(file)
		return d.Kernel, d.Ring
	}
	return 0, 0
}

// through has what is read of a source kept; from is who captures it.
func (k *recorder) through(s, from capture.Source) capture.Source {
	if k == nil {
		return s
	}
	if x, ok := from.(*wire.Source); ok {
		k.drops.Store(x)
	}
	return k.Source(s)
}

// close ends keeping.
func (k *recorder) close() {
	if k != nil {
		k.Close()
		k.release()
	}
}

// view has it told of findings, and of how time goes by.
func (k *recorder) view() check.View { return check.View{NewFinding: k.trigger, Reached: k.reached} }

// trigger takes a finding: it is an occasion.
func (k *recorder) trigger(f *finding.Finding) {
	if f.Severity < k.least {
		return
	}
	o := keep.Trigger{
		Rule: f.ID(), Severity: f.Severity.String(), Message: f.Message,
		File: f.Frame.File, Frame: f.Frame.Number, Time: f.Time, Reported: k.now,
	}
	if f.Connection != nil {
		o.Connection = f.Connection.ID
	}
	k.Occur(o)
}

func (k *recorder) reached(time int64) { k.now = max(k.now, time) }
