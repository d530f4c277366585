package annotate

import (
	"bufio"
	"io"
	"slices"
)

// byteReader are those of the capture, from first to last.
type byteReader struct {
	r *bufio.Reader
	// at is the offset of the next one in the capture.
	at int64
	// err is why there are no more.
	err error
	buf []byte
}

// peek returns the next n bytes, which fit in the buffer, without taking them.
func (o *byteReader) peek(n int) ([]byte, error) {
	b, err := o.r.Peek(n)
	return b, o.note(err)
}

// read takes n bytes, which are valid until the next call, or none.
func (o *byteReader) read(n int) ([]byte, error) {
	// A length is a stranger's word: the buffer grows with the bytes that came.
	o.buf = o.buf[:0]
	for len(o.buf) < n {
		have, step := len(o.buf), min(n-len(o.buf), bufferSize)
		o.buf = slices.Grow(o.buf, step)[:have+step]
		got, err := io.ReadFull(o.r, o.buf[have:])
		if err != nil {
			o.buf = o.buf[:have+got]
			return nil, o.note(err)
		}
	}
	o.at += int64(n)
	return o.buf, nil
}

// copy takes n bytes and writes them to w.
func (o *byteReader) copy(w *bufio.Writer, n int) error {
	for n > 0 {
		b, err := o.read(min(n, bufferSize))
		if err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		n -= len(b)
	}
	return nil
}

// skip takes n bytes.
func (o *byteReader) skip(n int) error {
	got, err := o.r.Discard(n)
	o.at += int64(got)
	return o.note(err)
}

// note remembers an error of the capture, to tell it from one of writing.
func (o *byteReader) note(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		o.err = err
	}
	return err
}
