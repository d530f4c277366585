package capture

import (
	"io"
	"math"
	"os"
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

// Open opens the capture at path; "-" is standard input. Index becomes the
// File of its frames. It reads the file's header, so it waits for that on a
// pipe. Its errors are of type *Error.
func Open(path string, index int) (*File, error) {
	if path == "-" {
		return NewReader(os.Stdin, "standard input", index)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{path, -1, "cannot be opened: " + plain(err), err}
	}
	r, err := NewReader(f, path, index)
	if err != nil {
		f.Close()
		return nil, err
	}
	r.close = append(r.close, f.Close)
	return r, nil
}

// NewReader reads a capture from r, of which it needs no more than Read: a
// pipe or a connection will do. Name stands for it in errors, and index becomes
// the File of its frames. Close does not close r. Its errors are of type *Error.
func NewReader(r io.Reader, name string, index int) (*File, error) {
	file := &File{name: name, index: index, below: &counter{r: r}, size: -1}
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return nil, &Error{name, -1, "is a directory", nil}
		} else if err == nil && info.Mode().IsRegular() {
			file.size = info.Size()
		}
	}
	if err := file.unpack(); err != nil {
		file.Close()
		return nil, err
	}
	if err := file.detect(); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// Next fills f with the next frame, as Source says.
func (r *File) Next(f *Frame) error {
	if r.done {
		return io.EOF
	}
	if err := r.format.next(r, f); err != nil {
		r.done, r.ready = true, false
		return err
	}
	r.frames++
	r.win.lent = true
	f.File, f.Number = int32(r.index), r.frames
	return nil
}

// Read is the number of octets that were read of the file so far, of the
// compressed file where it is compressed. The reader runs ahead of the frames
// by a buffer or two.
func (r *File) Read() int64 { return r.below.n.Load() }

// Size is the file's length in octets when it was opened, in the same measure
// as Read; -1 for a pipe and anything else that has none.
func (r *File) Size() int64 { return r.size }

// Close releases what reading needs, and the file if Open opened it. Frames
// that were read before are no longer valid.
func (r *File) Close() error {
	r.done, r.ready = true, false
	var first error
	for _, f := range r.close {
		if err := f(); err != nil && first == nil {
			first = err
		}
	}
	r.close = nil
	return first
}

// A counter counts the octets that pass, and marks errors as the file's own.
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

// wireLength is the Length of a frame: what the file states, but not less than
// was captured.
func wireLength(stated uint32, captured int) int32 {
	return int32(max(min(stated, math.MaxInt32), uint32(captured)))
}
