package capture

import (
	"io"
	"os"
)

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

// Read is the number of bytes that were read of the file so far, of the
// compressed file where it is compressed. The reader runs ahead of the frames
// by a buffer or two.
func (r *File) Read() int64 { return r.below.n.Load() }

// Index is the File of its frames.
func (r *File) Index() int { return r.index }

// Size is the file's length in bytes when it was opened, in the same measure
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
