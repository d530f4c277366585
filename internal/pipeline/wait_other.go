//go:build !unix

package pipeline

import (
	"io"
	"os"
)

// openFIFO opens what may have to be waited for.
func openFIFO(name string) (*os.File, error) { return os.Open(name) }

// Reader is f: an interruption shows when more input comes.
func (s *Stop) Reader(f *os.File) io.Reader { return &untilInterrupted{f, s} }

type untilInterrupted struct {
	*os.File
	stop *Stop
}

func (r *untilInterrupted) Read(p []byte) (int, error) {
	if r.stop.came() {
		return 0, ErrInterrupted
	}
	return r.File.Read(p)
}
