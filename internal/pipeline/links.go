package pipeline

import (
	"fmt"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
)

// A linkWatch counts the frames whose link type is not known. They are listed and counted as frames that are not RDMA; that rdmacap
// cannot see what they are must not go by unnoticed.
type linkWatch struct {
	names   []string
	known   []bool // by file: it has a frame of a known link type
	unknown []unknownLink
	alike   []alike // by file
}

// alike is what the frames of a file are, as long as they are all of one kind that is
// not looked into: an encrypted link, say, or a tunnel that is not known.
type alike struct {
	first  link.Packet
	frames int64
	mixed  bool // they are not, or something was found in one
}

// takePacket takes the next frame of the file.
func (a *alike) takePacket(p *link.Packet) {
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

// A unknownLink is an interface of a capture whose link type is not known.
type unknownLink struct {
	first  capture.Frame // without its bytes
	frames int64
}

func newLinkWatch(names []string) *linkWatch {
	return &linkWatch{names: names, known: make([]bool, len(names)), alike: make([]alike, len(names))}
}

// frame looks at a frame.
func (w *linkWatch) frame(x *flow.Frame) {
	if f := &x.Frame; f.Link.Known() {
		w.known[f.File] = true
		w.alike[f.File].takePacket(&x.Link)
	} else {
		w.findUnknown(f).frames++
		w.alike[f.File].mixed = true // problems names these
	}
}

// maxUnknownLinks bounds the list: a hostile pcapng file may have an interface for
// every frame. The last entry then takes all others.
const maxUnknownLinks = 64

func (w *linkWatch) findUnknown(f *capture.Frame) *unknownLink {
	for i := range w.unknown {
		s := &w.unknown[i].first
		if s.File == f.File && s.Section == f.Section && s.Interface == f.Interface && s.Link == f.Link {
			return &w.unknown[i]
		}
	}
	if len(w.unknown) < maxUnknownLinks {
		first := *f
		first.Data, first.Extra = nil, nil
		w.unknown = append(w.unknown, unknownLink{first: first})
	}
	return &w.unknown[len(w.unknown)-1]
}

// problems are what could not be read.
func (w *linkWatch) problems() (list []LinkProblem) {
	for _, l := range w.unknown {
		f := &l.first
		list = append(list, LinkProblem{fmt.Sprintf("%s: byte %d: rdmacap does not support %v (interface %d): %s from here on counted, but not read",
			FileName(w.names[f.File]), f.Offset, f.Link, f.Interface, FrameCount(l.frames)), !w.known[f.File]})
	}
	for i := range w.alike {
		if a := &w.alike[i]; a.frames > 1 && !a.mixed {
			list = append(list, LinkProblem{Text: fmt.Sprintf("%s: no RDMA traffic: all its frames are of one kind, %s of %s",
				FileName(w.names[i]), FrameCount(a.frames), a.first.Protocol())})
		}
	}
	return list
}

// FileName is how messages name a capture: "-" is standard input, and what a name must not
// do to a message is an escape.
func FileName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return field.Visible(name)
}

// FrameCount is a number of frames in words: 1 frame, 2 frames.
func FrameCount(n int64) string {
	if n == 1 {
		return "1 frame"
	}
	return fmt.Sprintf("%d frames", n)
}
