package hostile

import (
	"bufio"
	"encoding/binary"
	"os"

	"github.com/rdmacap/rdmacap/internal/build"
)

// An Input is a capture that can be made in any size.
type Input struct {
	// Name is a word for it, and About what it has in it.
	Name, About string
	// Size is how many it has of them, to begin with.
	Size int
	make func(w *writer, n int)
}

// Write makes the capture, with n of what it has, as a file of pcap.
func (in Input) Write(path string, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := &writer{w: bufio.NewWriter(f)}
	if w.err = build.WritePcap(w.w, nil); w.err == nil {
		in.make(w, n)
		w.flush()
	}
	if err := f.Close(); w.err == nil {
		w.err = err
	}
	return w.err
}

// A writer takes frames, and keeps the first error.
type writer struct {
	w      *bufio.Writer
	frames int64
	err    error
}

// writeFrames writes frames, one microsecond after the other, and forgets them.
func (w *writer) writeFrames(frames *build.Frames) {
	for _, f := range *frames {
		w.frames++
		b := make([]byte, 0, 16)
		for _, word := range []uint32{uint32(1_700_000_000 + w.frames/1e6), uint32(w.frames%1e6) * 1000, uint32(len(f.Data)), uint32(max(f.Length, len(f.Data)))} {
			b = binary.LittleEndian.AppendUint32(b, word)
		}
		for _, part := range [][]byte{b, f.Data} {
			if _, err := w.w.Write(part); err != nil && w.err == nil {
				w.err = err
			}
		}
	}
	clear(*frames)
	*frames = (*frames)[:0]
}

func (w *writer) flush() {
	if err := w.w.Flush(); err != nil && w.err == nil {
		w.err = err
	}
}
