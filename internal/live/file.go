package live

import (
	"context"
	"fmt"
	"os"

	"github.com/rdmacap/rdmacap/internal/pipeline"
)

// openFile opens what another tool writes, which is followed until that ends or is to end. A
// capture that is not followed is opened when it is read.
func (s *Session) openFile(ctx context.Context) (follow func() (pipeline.Result, error), err error) {
	info, err := os.Stat(s.From)
	switch {
	case s.From == "-", err != nil, info.Mode().IsRegular() && !s.Follow:
		return func() (pipeline.Result, error) { return s.read(ctx) }, nil
	case info.IsDir() && !s.Follow:
		return nil, fmt.Errorf("%s: is a directory; --follow reads its files one after another", s.From)
	}
	stop := pipeline.NewStop(ctx, s.Stopping)
	source, end, err := pipeline.OpenGrowing(s.From, info, stop)
	if err != nil {
		if stop.WasInterrupted() {
			err = pipeline.ErrInterrupted
		}
		stop.Release()
		return nil, err
	}
	return func() (pipeline.Result, error) {
		defer stop.Release()
		relief, undo := s.relieve(nil, s.notifyOfFile)
		defer undo()
		return s.feed(pipeline.Feed{Names: s.names(), Source: source, Waits: true, Tick: func() {}, Over: end}, relief, stop)
	}, nil
}

// read reads a capture to its end.
func (s *Session) read(ctx context.Context) (pipeline.Result, error) {
	relief, undo := s.relieve(nil, s.notifyOfFile)
	defer undo()
	o := s.Input
	o.Relief = relief
	return pipeline.Files{Names: s.names(), Stdin: s.Stdin, Stopping: s.Stopping, Progress: s.Progress}.Run(ctx, s.out, o)
}

func (s *Session) notifyOfFile(what string) { s.notify(s.From + ": " + what) }
