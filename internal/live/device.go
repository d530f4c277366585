package live

import (
	"context"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/capture/device"
	"github.com/rdmacap/rdmacap/capture/sniffer"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/internal/replay/verbs"
)

// A TogetherError is that an RDMA device is to be captured on together with something else.
type TogetherError struct {
	// Device is its name.
	Device string
}

func (e *TogetherError) Error() string {
	return e.Device + ": an RDMA device cannot be combined with other interfaces"
}

// rdmaDevice is the first RDMA device among the names of interfaces, with its port: mlx5_0, or
// mlx5_0:2.
func rdmaDevice(root fs.FS, names []string) (name string, port int, is bool) {
	for _, n := range names {
		name, port = n, 1
		if before, number, ok := strings.Cut(n, ":"); ok {
			if p, err := strconv.ParseUint(number, 10, 8); err == nil {
				name, port = before, int(p)
			}
		}
		if device.IsDevice(root, name) {
			return name, port, true
		}
	}
	return "", 0, false
}

// openDevice opens an RDMA device, which is captured on until that is to end, or the device fails.
func (s *Session) openDevice(ctx context.Context, name string, port int) (follow func() (pipeline.Result, error), err error) {
	if len(s.Interfaces) > 1 {
		return nil, &TogetherError{name}
	}
	from, err := verbs.OpenSniffer(verbs.Library, name, port, int(s.Memory.Ring))
	if err != nil {
		return nil, err
	}
	if s.Alone {
		s.notifyPrivileges() // the library may need them
	}
	return func() (pipeline.Result, error) {
		source := sniffer.New(from)
		stop := pipeline.NewStop(ctx, s.Stopping)
		defer stop.Release()
		stop.WhenEnded(source.Stop)
		tell := func(what string) { s.notify(fmt.Sprintf("%s: %s", name, what)) }
		tell("capturing; interrupt to end")
		relief, undo := s.relieve(nil, tell)
		defer undo()
		starved := false
		tick := func() {
			if !starved && source.Starved() > 0 {
				starved = true
				tell("the device ran out of buffers, so frames may be missing; devices do not count how many: a larger --buffer may help")
			}
		}
		return s.feed(pipeline.Feed{
			Names: []string{name}, Source: source, Waits: true, Tick: tick, Over: func() { tick(); source.Close() },
		}, relief, stop)
	}, nil
}
