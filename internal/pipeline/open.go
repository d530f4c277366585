package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/rdmacap/rdmacap/capture"
)

// open opens the captures, and returns the errors of those that it cannot.
func (x Files) open(stop *Stop) (files []*capture.File, unopened []error) {
	for i, name := range x.Names {
		f, err := x.openOne(name, i, stop)
		if err != nil {
			unopened = append(unopened, err)
			continue
		}
		files = append(files, f)
	}
	return files, unopened
}

func (x Files) openOne(name string, index int, stop *Stop) (*capture.File, error) {
	switch {
	case name != "-" && x.waits(name):
		f, err := openFIFO(name)
		if err != nil {
			return nil, cannotOpen(name, err)
		}
		return capture.NewReader(stop.Reader(f), name, index) // which goes with the process
	case name != "-":
		return capture.Open(name, index)
	}
	in := x.Stdin
	if f, ok := in.(*os.File); ok && x.waits(name) {
		in = stop.Reader(f)
	}
	return capture.NewReader(in, "standard input", index)
}

// waits reports whether a capture comes from something that may have to be waited for,
// and can be interrupted: standard input that is no file, or a FIFO.
func (x Files) waits(name string) bool {
	if name != "-" {
		info, err := os.Stat(name)
		return err == nil && isFIFO(info)
	}
	f, ok := x.Stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

func isFIFO(info os.FileInfo) bool { return info.Mode()&os.ModeNamedPipe != 0 }

// cannotOpen is an error of opening, with the name once.
func cannotOpen(name string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return fmt.Errorf("%s: cannot be opened: %w", name, err)
}
