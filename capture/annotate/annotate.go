package annotate

import (
	"bufio"
	"io"
	"math"

	"github.com/rdmacap/rdmacap/capture"
)

// Comments are what a copy has beside the original. They are text in UTF-8, of one
// line or more. Control characters are left out, and what is beyond the 65535 bytes
// that an option can hold is cut off.
type Comments struct {
	// File are the comments on the whole file. They stand in the header of its
	// first section.
	File []string
	// Frames are the comments on frames, by their capture.Frame.Number.
	Frames map[int64][]string
}

// A Result says what a copy came to.
type Result struct {
	// Frames is the number of frames that were copied.
	Frames int64
	// Placed is the number of frames that got comments.
	Placed int64
	// Unplaced are the frames whose comments have no place, in their order.
	Unplaced []Unplaced
	// Fault is what was wrong with the capture, nil if nothing was: an error of
	// capture.Source. All that is whole before it was copied.
	Fault error
}

// An Unplaced is a frame that was copied without the comments that it was to have.
type Unplaced struct {
	// Frame is its number; 0 stands for the comments on the whole file.
	Frame int64
	// Why is the reason, on one line.
	Why string
}

const (
	// bufferSize is the length of the buffers for reading and writing, in bytes.
	bufferSize = 256 << 10
	// maxBlock is the longest block that package capture reads, in bytes.
	maxBlock = 256 << 20
)

// Copy copies the capture that in holds, of any format that package capture reads,
// to w, and adds comments. Name stands for the capture in errors. An error says
// that the copy is not to be used: in is no capture, or w takes no more.
//
// In is a file or something like it: it is read in two places, so that a pipe will
// not do.
func Copy(w io.Writer, in io.ReaderAt, name string, comments Comments) (Result, error) {
	frames, err := capture.NewReader(io.NewSectionReader(in, 0, math.MaxInt64), name, 0)
	if err != nil {
		return Result{}, err
	}
	defer frames.Close()
	unpacked, closeUnpacked, err := capture.Unpack(io.NewSectionReader(in, 0, math.MaxInt64))
	if err != nil {
		return Result{}, &capture.Error{File: name, Offset: 0, Reason: "cannot be read: " + err.Error(), Err: err}
	}
	defer closeUnpacked()
	c := copier{
		w:        bufio.NewWriterSize(w, bufferSize),
		in:       byteReader{r: bufio.NewReaderSize(unpacked, bufferSize)},
		frames:   frames,
		comments: comments,
	}
	if err := c.run(); err != nil {
		if c.in.err == nil {
			return c.result, err
		}
		// The capture stopped here before it did for package capture: broken
		// compressed data may give more or less, as they are read.
		if c.result.Fault == nil {
			c.result.Fault = &capture.Error{File: name, Offset: c.in.at, Reason: "cannot be read again from here on: " + err.Error(), Err: err}
		}
	}
	return c.result, c.w.Flush()
}

// A copier copies one capture.
type copier struct {
	w        *bufio.Writer
	in       byteReader // the uncompressed capture
	frames   *capture.File
	comments Comments
	order    order  // of the section, or of the pcap file
	block    []byte // what is being made
	result   Result
}

// run copies everything, as the file's first bytes say what it is.
func (c *copier) run() error {
	magic, err := c.in.peek(4)
	if err != nil {
		return err
	}
	if string(magic) == sectionMagic {
		return c.pcapng()
	}
	return c.pcap()
}

// unplaced notes that a frame, or the file, cannot have its comments.
func (c *copier) unplaced(frame int64, why string) {
	c.result.Unplaced = append(c.result.Unplaced, Unplaced{frame, why})
}
