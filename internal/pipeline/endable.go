package pipeline

import (
	"io"

	"github.com/rdmacap/rdmacap/capture"
)

// endable is a source that ends when the user quits; with atOnce also when there is an
// interruption, after which that of a pipe still has what its writer had to say.
type endable struct {
	capture.Source
	stop   *Stop
	atOnce bool
}

func (e *endable) Next(f *capture.Frame) error {
	if e.stop.quit.Load() || e.atOnce && e.stop.came() {
		return io.EOF
	}
	return e.Source.Next(f)
}

// Ready implements capture.Ready.
func (e *endable) Ready() bool {
	r, ok := e.Source.(capture.Ready)
	return !ok || r.Ready()
}

// Keep implements capture.Keeper.
func (e *endable) Keep(n int) bool {
	k, ok := e.Source.(capture.Keeper)
	return ok && k.Keep(n)
}
