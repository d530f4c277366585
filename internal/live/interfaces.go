package live

import (
	"context"
	"strings"

	wire "github.com/rdmacap/rdmacap/capture/live"
	"github.com/rdmacap/rdmacap/internal/pipeline"
)

// openInterfaces opens interfaces, which are captured on until that is to end, or the last is gone.
func (s *Session) openInterfaces(ctx context.Context) (follow func() (pipeline.Result, error), err error) {
	o := s.Capture
	o.Buffer, o.State = int(s.Memory.Ring), s.monitor.state()
	if !s.Quiet {
		o.Notify = func(name, what string) { s.Notify(name + ": " + what) }
	}
	source, err := wire.Open(s.Interfaces, o)
	if err != nil {
		return nil, err
	}
	if s.Alone {
		if err := s.dropPrivileges(); err != nil {
			source.Close()
			return nil, err
		}
	}
	return func() (pipeline.Result, error) {
		stop := pipeline.NewStop(ctx, s.Stopping)
		defer stop.Release()
		stop.WhenEnded(source.Stop)
		all := strings.Join(s.Interfaces, ", ")
		tell := func(what string) { s.notify(all + ": " + what) }
		tell("capturing; interrupt to end")
		relief, undo := s.relieve(source, tell)
		defer undo()
		return s.feed(pipeline.Feed{Names: s.names(), Source: source, Waits: true, Tick: func() {}, Over: func() { source.Close() }}, relief, stop)
	}, nil
}
