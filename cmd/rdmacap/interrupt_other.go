//go:build !unix

package main

import (
	"io"
	"os"
)

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
