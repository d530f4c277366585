package main

import (
	"errors"
	"fmt"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A linkWatch counts the frames whose link type is not known. They are listed and counted as frames that are not RDMA; that rdmacap
// cannot see what they are must not go by unnoticed.
type linkWatch struct {
	names   []string
	known   []bool // by file: it has a frame of a known link type
	strange []strangeLink
	alike   []alike // by file
}

// alike is what the frames of a file are, as long as they are all of one kind that is
// not looked into: an encrypted link, say, or a tunnel that is not known.
type alike struct {
	first  link.Packet
	frames int64
	mixed  bool // they are not, or something was found in one
}

// take takes the next frame of the file.
func (a *alike) take(p *link.Packet) {
	switch {
	case a.mixed:
	case p.Transport != link.NotRDMA:
		a.mixed = true
	case a.frames == 0:
		a.first, a.frames = *p, 1
	case a.first.SameProtocol(p):
		a.frames++
	default:
		a.mixed = true
	}
}

// A strangeLink is an interface of a capture whose link type is not known.
type strangeLink struct {
	first  capture.Frame // without its octets
	frames int64
}

func newLinkWatch(names []string) *linkWatch {
	return &linkWatch{names: names, known: make([]bool, len(names)), alike: make([]alike, len(names))}
}

// frame looks at a frame.
func (w *linkWatch) frame(x *flow.Frame) {
	if f := &x.Frame; f.Link.Known() {
		w.known[f.File] = true
		w.alike[f.File].take(&x.Link)
	} else {
		w.find(f).frames++
		w.alike[f.File].mixed = true // tell names these
	}
}

// maxStrange bounds the list: a hostile pcapng file may have an interface for
// every frame. The last entry then takes all others.
const maxStrange = 64

func (w *linkWatch) find(f *capture.Frame) *strangeLink {
	for i := range w.strange {
		s := &w.strange[i].first
		if s.File == f.File && s.Section == f.Section && s.Interface == f.Interface && s.Link == f.Link {
			return &w.strange[i]
		}
	}
	if len(w.strange) < maxStrange {
		first := *f
		first.Data, first.Extra = nil, nil
		w.strange = append(w.strange, strangeLink{first: first})
	}
	return &w.strange[len(w.strange)-1]
}

// tell prints a line for each such interface. A capture that has nothing else
// could not be used, which is the exit status unless err decides it.
func (w *linkWatch) tell(s streams, err error) error {
	var status *statusError
	if errors.As(err, &status) && status.code == exitDone {
		return err // whoever read the output has left
	}
	for _, l := range w.strange {
		word := "warning: "
		f := &l.first
		if !w.known[f.File] {
			word = ""
		}
		complain(s, "%s%s: byte %d: %v (interface %d) is not known to rdmacap: %s from here on counted, but not read",
			word, fileName(w.names[f.File]), f.Offset, f.Link, f.Interface, frameCount(l.frames))
		if word == "" && err == nil {
			err = &statusError{exitUnusable}
		}
	}
	for i := range w.alike {
		if a := &w.alike[i]; a.frames > 1 && !a.mixed {
			complain(s, "warning: %s: nothing was found in its frames, which are all of one kind: %s of %s",
				fileName(w.names[i]), frameCount(a.frames), a.first.Protocol())
		}
	}
	return err
}

// fileName is how messages name a file of the command line.
func fileName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

func frameCount(n int64) string {
	if n == 1 {
		return "1 frame"
	}
	return fmt.Sprintf("%d frames", n)
}
