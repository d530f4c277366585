//go:build !unix

package main

import (
	"io"
	"os"
)

// openFIFO opens what may have to be waited for.
func openFIFO(name string) (*os.File, error) { return os.Open(name) }

// reader is f: an interruption shows when more input comes.
func (i *interruption) reader(f *os.File) io.Reader { return &untilInterrupted{f, i} }

type untilInterrupted struct {
	*os.File
	stop *interruption
}

func (r *untilInterrupted) Read(p []byte) (int, error) {
	if r.stop.came() {
		return 0, errInterrupted
	}
	return r.File.Read(p)
}
