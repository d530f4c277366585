package capture

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// packedErr is a packedError, unless the file below is the reason.
func packedErr(format string, err error) error {
	var read *readError
	if errors.As(err, &read) {
		return read
	}
	return &packedError{format, err}
}

// A packedError says that compressed data end too early or are broken. What
// was in the rest of the file is lost in both cases, so both are an
// io.ErrUnexpectedEOF.
type packedError struct {
	format string
	err    error
}

func (e *packedError) Error() string { return e.format + " data: " + e.err.Error() }

func (e *packedError) Unwrap() []error { return []error{io.ErrUnexpectedEOF, e.err} }

func (e *packedError) reason() string {
	if errors.Is(e.err, zstd.ErrWindowSizeExceeded) || errors.Is(e.err, zstd.ErrDecoderSizeExceeded) {
		return fmt.Sprintf("refer back further than %d MiB, as with zstd --long: unpack them with zstd -dc --long=31, to a file or a pipe", maxZstdWindow>>20)
	}
	if errors.Is(e.err, io.ErrUnexpectedEOF) || errors.Is(e.err, io.EOF) {
		return "end too early"
	}
	return "are broken (" + e.err.Error() + ")"
}
