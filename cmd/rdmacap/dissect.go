package main

import (
	"context"
	"errors"
	"io"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/pipeline"
)

// exitInterrupted is the exit status where SIGINT or SIGTERM ended the command.
const exitInterrupted = 130

// dissectFiles runs captures through a dissector into a renderer. A file that
// cannot be read to its end does not keep the others from being shown: its
// error is told last, and decides the exit status unless it only says that the
// file ends in the middle of a record.
func dissectFiles(ctx context.Context, s streams, names []string, out pipeline.Renderer, o pipeline.Options, quiet bool) error {
	return dissectPlace(ctx, s, names, out, o, placeOptions{}, quiet)
}

// dissectPlace is dissectFiles of a command that shows a part of what was captured.
func dissectPlace(ctx context.Context, s streams, names []string, out pipeline.Renderer, o pipeline.Options, place placeOptions, quiet bool) error {
	o.Clock = s.now
	r, err := filesOf(s, names, quiet).Run(ctx, out, o)
	return place.conclude(s, r, err)
}

// filesOf are captures of the command line, with the progress of reading them shown unless quiet.
func filesOf(s streams, names []string, quiet bool) pipeline.Files {
	return pipeline.Files{
		Names: names, Stdin: s.in, Stopping: s.stopping(nil),
		Progress: func(files []*capture.File) pipeline.Progress { return newProgress(s, files, quiet) },
	}
}

// stopping is what ends the reading of what would go on, beside the context.
func (s streams) stopping(asked <-chan bool) pipeline.Stopping {
	return pipeline.Stopping{
		Heed: s.heed, Asked: asked, Clock: s.now,
		Interrupted: func() {
			complain(s, "interrupted: partial results follow; interrupt again after a second to quit at once")
		},
	}
}

// dissectWhole is dissectFiles of a command that writes nothing if it is interrupted.
func dissectWhole(ctx context.Context, s streams, names []string, out pipeline.Renderer, o pipeline.Options, quiet bool) error {
	o.Clock = s.now
	files := filesOf(s, names, quiet)
	files.Stopping.Interrupted = func() { complain(s, "interrupted: nothing is written") }
	r, err := files.Run(ctx, out, o)
	return conclude(s, r, err)
}

// conclude prints what was wrong with the input, or with the output, and chooses the exit status.
func conclude(s streams, r pipeline.Result, err error) error {
	if err != nil {
		err = writeError(err)
	} else if err = printResult(s, r); r.Interrupted {
		err = &statusError{exitInterrupted}
	}
	if status, told := errors.AsType[*statusError](err); told && status.code == exitDone {
		return err // whoever read the output has left
	}
	for _, l := range r.Links {
		word := "warning: "
		if l.Unusable {
			word = ""
		}
		complain(s, "%s%s", word, l.Text)
		if l.Unusable && err == nil {
			err = &statusError{exitUnusable}
		}
	}
	return err
}

// printResult prints what was wrong with the input and chooses the exit status: of
// captures that could not be opened, and of those that could not be read on.
func printResult(s streams, r pipeline.Result) error {
	code := exitDone
	for _, err := range r.Unopened {
		complain(s, "%v", err)
		code = exitUnusable
	}
	for _, err := range r.Faults {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			complain(s, "warning: %v", err)
			continue
		}
		complain(s, "%v", err)
		code = exitUnusable
	}
	if code != exitDone {
		return &statusError{code}
	}
	return nil
}
