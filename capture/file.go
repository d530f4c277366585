package capture

import (
	"io"
	"math"
	"sync/atomic"
)

// A File is a capture that is being read, a Source. One goroutine reads it;
// Read and Size may be asked by another at the same time.
type File struct {
	name   string
	index  int
	win    window
	format format
	frames int64 // given so far
	ready  bool  // see Ready
	done   bool
	// long is a record of which the window does not have all that is held, at an offset longAt.
	long   []byte
	longAt int64
	below  *counter
	size   int64
	close  []func() error
}

// A format reads the records of one file format.
type format interface {
	// next fills f except for File and Number, and says in r.ready whether there
	// is another frame in the window. It returns io.EOF, an *Error, or several of
	// them joined.
	next(r *File, f *Frame) error
}

// wireLength is the Length of a frame: what the file states, but not less than
// was captured.
func wireLength(stated, captured uint32) int32 {
	return int32(max(min(stated, math.MaxInt32), captured))
}

const (
	convert    = "convert it with editcap -F pcapng"
	decompress = "decompress it first (gzip and zstd are read directly)"
)

// A counter counts the bytes that pass, and marks errors as the file's own.
type counter struct {
	r io.Reader
	n atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	if err != nil && err != io.EOF {
		err = &readError{err}
	}
	return n, err
}
