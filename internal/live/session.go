package live

import (
	"context"
	"os"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/report/check"
)

// A Session is one analysis of traffic as it happens.
type Session struct {
	Options
	monitor  *monitor
	recorder *recorder
	out      *check.Check
	follow   func() (pipeline.Result, error) // what was opened
}

// New makes a session: it answers for monitoring, and has where to keep frames, or what kept it
// from that is its error.
func New(o Options) (*Session, error) {
	s := &Session{Options: o}
	var err error
	if s.monitor, err = newMonitor(s.Address, s.Metrics, s.Answering); err != nil {
		return nil, err
	}
	if s.recorder, err = s.keeping(); err != nil {
		s.monitor.close()
		return nil, err
	}
	if s.monitor != nil {
		s.Found.Views = append(s.Found.Views, s.monitor.View())
	}
	if s.recorder != nil {
		s.Found.Views = append(s.Found.Views, s.recorder.view())
	}
	s.out = check.New(s.Form(s.Out, s.Shown), s.Found)
	in := &s.Input
	in.Units, in.Accesses, in.Over = true, s.out, s.out.Over
	if s.out.Shardable() {
		in.Part, in.PauseBy = s.out.Part, s.out.PauseBy
	}
	in.Workers = s.Memory.Workers
	in.Through = func(source, from capture.Source) capture.Source {
		return s.monitor.beginMonitoring(s.recorder.through(source, from))
	}
	return s, nil
}

// Close ends keeping and monitoring.
func (s *Session) Close() {
	s.recorder.close()
	s.monitor.close()
}

// notify reports what is not urgent.
func (s *Session) notify(line string) {
	if !s.Quiet {
		s.Notify(line)
	}
}

// Open opens what is to be followed. Its error is pipeline.ErrInterrupted where that was to end
// meanwhile.
func (s *Session) Open(ctx context.Context) (err error) {
	switch name, port, is := rdmaDevice(os.DirFS("/"), s.Interfaces); {
	case len(s.Interfaces) == 0:
		s.follow, err = s.openFile(ctx)
	case is:
		s.follow, err = s.openDevice(ctx, name, port)
	default:
		s.follow, err = s.openInterfaces(ctx)
	}
	return err
}

// Run follows what was opened until it ends, or is to end. Its error is one of writing.
func (s *Session) Run() (pipeline.Result, error) { return s.follow() }

// feed runs frames of a feed through what the session has.
func (s *Session) feed(in pipeline.Feed, r *relief, stop *pipeline.Stop) (pipeline.Result, error) {
	o := s.Input
	o.Relief = r
	return pipeline.Run(in, s.out, o, stop)
}
