package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/rdmacap/rdmacap/capture"
)

// isTerminal reports whether a stream is one that a person looks at.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	return isatty.IsTerminal(f.Fd())
}

// A sized stream is one that knows how many columns it has, as that of a test does.
type sized interface{ Columns() int }

// wantColor decides about colour: NO_COLOR and dumb terminals are honoured
// unless colour was asked for by name.
func wantColor(word string, out io.Writer) (bool, error) {
	switch word {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(out), nil
	}
	return false, fmt.Errorf("unknown value %q: use auto, always or never", word)
}

// isClosedPipe reports whether whoever read the output has left.
func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// progress shows how far the reading is, on a terminal whose standard output
// goes elsewhere: rows on the screen are progress enough.
type progress struct {
	w     io.Writer
	files []*capture.File
	clock process
	next  time.Time
	shown bool
}

// progressDelay is how long reading must take before anything is shown, and
// how often it is brought up to date.
const progressDelay = 500 * time.Millisecond

// newProgress shows how far the reading of files is, nil if nobody looks.
func newProgress(s streams, files []*capture.File, quiet bool) *progress {
	if quiet || !isTerminal(s.err) || isTerminal(s.out) {
		return nil
	}
	return &progress{w: s.err, files: files, clock: s.process, next: s.now().Add(progressDelay)}
}

// Tick implements pipeline.Progress: it looks at the clock.
func (p *progress) Tick() {
	if p == nil {
		return
	}
	if now := p.clock.now(); now.After(p.next) {
		p.next = now.Add(progressDelay)
		p.show()
	}
}

func (p *progress) show() {
	var read, size int64
	for _, f := range p.files {
		read += f.Read()
		if n := f.Size(); n < 0 || size < 0 {
			size = -1
		} else {
			size += n
		}
	}
	p.shown = true
	if size > 0 {
		fmt.Fprintf(p.w, "\rreading: %d %% of %.1f MB", read*100/size, float64(size)/1e6)
		return
	}
	fmt.Fprintf(p.w, "\rreading: %.1f MB", float64(read)/1e6)
}

// Clear implements pipeline.Progress: it takes the progress off the screen.
func (p *progress) Clear() {
	if p != nil && p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
