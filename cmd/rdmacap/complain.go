package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/field"
)

// complain writes a message to standard error: "rdmacap: " and the text. Names of files and
// what stands in them are a stranger's, so what a terminal would obey is an escape.
func complain(s streams, format string, args ...any) {
	var b []byte
	for i, line := range strings.Split(fmt.Sprintf(format, args...), "\n") {
		if i > 0 {
			b = append(b, '\n')
		}
		for j, part := range strings.Split(line, "\t") { // under which the mark of a place stands
			if j > 0 {
				b = append(b, '\t')
			}
			b = field.AppendVisible(b, part)
		}
	}
	fmt.Fprintf(s.err, "rdmacap: %s\n", b)
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
