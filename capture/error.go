package capture

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// An Error says why a capture cannot be read, or cannot be read further.
type Error struct {
	// File is the name of the file as the user gave it.
	File string
	// Offset is the byte at fault in the (uncompressed) file, from 0; where a
	// record is cut, the byte at which the record begins. It is -1 where no
	// byte is to blame, as for a file that does not exist.
	Offset int64
	// Reason says what is wrong, on one line and without the file's name.
	Reason string
	// Err is the cause, or nil where the file's own bytes are. It is or wraps
	// io.ErrUnexpectedEOF where the file ends too early, or where compressed
	// data break, which loses the rest of the file just the same.
	Err error
}

// Error is one line: "FILE: byte N: reason".
func (e *Error) Error() string {
	if e.Offset < 0 {
		return e.File + ": " + e.Reason
	}
	return fmt.Sprintf("%s: byte %d: %s", e.File, e.Offset, e.Reason)
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// bad is the error for bytes that cannot be right.
func (r *File) bad(offset int64, format string, args ...any) error {
	return &Error{File: r.name, Offset: offset, Reason: fmt.Sprintf(format, args...)}
}

// stopped says why there is no further whole record after the byte where the
// last one ended: io.EOF if nothing follows it, else the *Error.
func (r *File) stopped(record int64) error {
	w := &r.win
	var read *readError
	var packed *packedError
	switch {
	case errors.As(w.err, &read):
		return &Error{r.name, w.received(), "cannot be read further: " + plain(read.err), read.err}
	case errors.As(w.err, &packed):
		return &Error{
			r.name, record,
			fmt.Sprintf("the %s data %s; what begins here is lost, after %s",
				packed.format, packed.reason(), r.wholeFrames()),
			packed,
		}
	case w.received() > record && record == 0:
		return &Error{r.name, 0, "the file ends in the middle of its header", io.ErrUnexpectedEOF}
	case w.received() > record:
		return &Error{
			r.name, record,
			"the file ends in the middle of the record that starts here, after " + r.wholeFrames(),
			io.ErrUnexpectedEOF,
		}
	}
	return io.EOF
}

func (r *File) wholeFrames() string {
	if r.frames == 1 {
		return "1 whole frame"
	}
	return fmt.Sprintf("%d whole frames", r.frames)
}

// plain is the error's text without the operation and the path that the
// operating system's errors repeat.
func plain(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return err.Error()
}
