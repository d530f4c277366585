package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/field"
)

// complain writes a message to standard error: "rdmacap: " and the text. Names of files and
// what stands in them are a stranger's, so in errors and strings among args what a terminal
// would obey, or what would begin a line, is an escape.
func complain(s streams, format string, args ...any) {
	for i, arg := range args {
		switch arg := arg.(type) {
		case error:
			args[i] = shown(arg)
		case string:
			args[i] = field.Visible(arg)
		}
	}
	fmt.Fprintf(s.err, "rdmacap: "+format+"\n", args...)
}

// shown is the text of an error without what a terminal would obey. The lines of a text that
// is several on purpose stay lines: those of an error with Lines, as one that shows a place in
// what it is about, and those of errors that were joined. Any other newline came out of a name.
func shown(err error) string {
	var parts []error
	switch err := err.(type) {
	case interface{ Lines() []string }:
		lines := err.Lines()
		for i, line := range lines {
			cells := strings.Split(line, "\t") // under which the mark of a place stands
			for j := range cells {
				cells[j] = field.Visible(cells[j])
			}
			lines[i] = strings.Join(cells, "\t")
		}
		return strings.Join(lines, "\n")
	case interface{ Unwrap() []error }:
		parts = err.Unwrap()
	case interface{ Unwrap() error }:
		if part := err.Unwrap(); part != nil {
			parts = []error{part}
		}
	}
	var b strings.Builder
	rest := err.Error()
	for _, part := range parts {
		before, after, in := strings.Cut(rest, part.Error())
		if !in {
			continue // it is worded anew
		}
		if before != "\n" { // which errors.Join puts between
			before = field.Visible(before)
		}
		b.WriteString(before)
		b.WriteString(shown(part))
		rest = after
	}
	b.WriteString(field.Visible(rest))
	return b.String()
}

// misuse adds to what is wrong with a command line where its rules stand.
func misuse(c *cobra.Command, err error) error {
	return fmt.Errorf("%w (see '%s --help')", err, c.CommandPath())
}

// plainError is the error without the path, which the message has already.
func plainError(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err
	}
	return err
}

// writeError words an error of the output; a reader that left, as head does,
// is no error.
func writeError(err error) error {
	if isClosedPipe(err) {
		return &statusError{exitDone}
	}
	return fmt.Errorf("standard output: %w", err)
}

// written words an error of writing, if there is one.
func written(err error) error {
	if err != nil {
		return writeError(err)
	}
	return nil
}
