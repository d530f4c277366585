package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
)

// renderer is a sink that writes: what a command does with what is found.
type renderer interface {
	dissect.Sink
	// Err is the first error of writing: nobody reads on.
	Err() error
	// Flush writes out what was gathered.
	Flush() error
	// Finish writes what comes last.
	Finish(s dissect.Summary, elapsed time.Duration) error
}

type pipelineOptions struct {
	rocePort   uint16
	keepOctets bool
	quiet      bool
}

// dissectFiles runs captures through a dissector into a renderer. A file that
// cannot be read to its end does not keep the others from being shown: its
// error is told last, and decides the exit status unless it only says that the
// file ends in the middle of a record.
func dissectFiles(s streams, names []string, out renderer, o pipelineOptions) error {
	began := time.Now()
	files, err := openAll(s, names)
	if err != nil {
		return err
	}
	defer closeAll(files)
	d := dissect.New(out, dissect.Options{RoCEPort: o.rocePort, KeepOctets: o.keepOctets})
	bar := newProgress(s, files, o.quiet)
	var faults []error
	faults, err = readAll(merge(files), d, out, bar)
	bar.clear()
	if err != nil {
		return err
	}
	d.Flush()
	if err := out.Finish(d.Summary(), time.Since(began)); err != nil {
		return writeError(err)
	}
	return tell(s, faults)
}

// readAll reads to the end, and returns the errors of the input apart from
// that of the output.
func readAll(source capture.Source, d *dissect.Dissector, out renderer, bar *progress) (faults []error, err error) {
	var f capture.Frame
	for {
		switch err := source.Next(&f); {
		case err == nil:
		case errors.Is(err, io.EOF):
			return faults, nil
		default:
			faults = append(faults, err)
			var broken *capture.Error
			if !errors.As(err, &broken) {
				return faults, nil
			}
			continue
		}
		d.Frame(&f)
		if err := out.Err(); err != nil {
			return faults, writeError(err)
		}
		bar.tick()
	}
}

// writeError words an error of the output; a reader that left, as head does,
// is no error.
func writeError(err error) error {
	if isClosedPipe(err) {
		return &statusError{exitDone}
	}
	return fmt.Errorf("standard output: %w", err)
}

// tell prints what was wrong with the input and chooses the exit status.
func tell(s streams, faults []error) error {
	code := exitDone
	for _, err := range faults {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			fmt.Fprintf(s.err, "rdmacap: warning: %v\n", err)
			continue
		}
		fmt.Fprintf(s.err, "rdmacap: %v\n", err)
		code = exitUnusable
	}
	if code != exitDone {
		return &statusError{code}
	}
	return nil
}

// openAll opens every capture, or none.
func openAll(s streams, names []string) ([]*capture.File, error) {
	var files []*capture.File
	for i, name := range names {
		f, err := open(s, name, i)
		if err != nil {
			closeAll(files)
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func open(s streams, name string, index int) (*capture.File, error) {
	if name == "-" {
		return capture.NewReader(s.in, "standard input", index)
	}
	return capture.Open(name, index)
}

func closeAll(files []*capture.File) {
	for _, f := range files {
		f.Close() // read only: nothing is lost
	}
}

func merge(files []*capture.File) capture.Source {
	sources := make([]capture.Source, len(files))
	for i, f := range files {
		sources[i] = f
	}
	return capture.Merge(sources)
}
