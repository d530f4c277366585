package pipeline

import (
	"io"
	"os"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/follow"
)

// OpenGrowing opens what is waited for until stop: a folder in which one file after the other is
// written, a file that grows, or a FIFO. End closes it.
func OpenGrowing(name string, info os.FileInfo, stop *Stop) (source capture.Source, end func(), err error) {
	until := follow.Until{Done: stop.Ended(), Err: ErrInterrupted}
	if info.IsDir() {
		return follow.NewFolder(name, 0, until), func() {}, nil
	}
	opening := os.Open
	if isFIFO(info) {
		opening = openFIFO
	}
	f, err := opening(name)
	if err != nil {
		return nil, nil, cannotOpen(name, err)
	}
	var in io.Reader = follow.NewReader(f, until)
	if !info.Mode().IsRegular() {
		in = stop.Reader(f)
	}
	file, err := capture.NewReader(in, name, 0)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return file, func() { file.Close(); f.Close() }, nil
}
