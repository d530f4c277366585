package scene

import (
	"bytes"
	"io"
	"slices"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/build"
)

// A Transport is what a scene plays over.
type Transport uint8

const (
	RoCE  Transport = iota // RoCEv2
	IWARP                  // TCP, MPA, DDP and RDMAP
)

// String is the name.
func (t Transport) String() string {
	if t == IWARP {
		return "iwarp"
	}
	return "roce"
}

// A Scene is a text that was played.
type Scene struct {
	// Frames are the capture.
	Frames build.Frames
	// Wants are the findings that the text expects, in its order.
	Wants []Want
}

// longestText is the longest text that Play takes, in bytes.
const longestText = 64 << 10

// Play plays a text over a transport. What is wrong with it is an *Error.
func Play(s string, over Transport) (*Scene, error) {
	if len(s) > longestText {
		return nil, &Error{1, "a text has at most 64 KiB"}
	}
	lines, err := lex(s)
	if err != nil {
		return nil, err
	}
	if lines, err = repeat(lines); err != nil {
		return nil, err
	}
	list, err := statements(lines)
	if err != nil {
		return nil, err
	}
	p, err := newPlayer(over)
	if err != nil {
		return nil, err
	}
	for _, st := range list {
		if p.play(st); p.err != nil {
			if p.err.Line == 0 {
				p.err.Line = st.line.number
			}
			return nil, p.err
		}
	}
	scene := p.scene()
	if p.err != nil {
		return nil, p.err
	}
	return scene, nil
}

// scene puts the frames of all connections into one capture and gives the wants
// their numbers.
func (p *player) scene() *Scene {
	type place struct{ conn, frame int }
	var all build.Frames
	var places []place
	for i, k := range p.conns {
		frames, copies := p.apply(k)
		for j, f := range frames {
			for range copies[j] {
				all, places = append(all, f), append(places, place{i, j})
			}
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return all[a].Time.Compare(all[b].Time) })
	s := &Scene{}
	numbers := make([][]int, len(p.conns))
	for i, k := range p.conns {
		numbers[i] = make([]int, len(k.frames()))
	}
	for _, i := range order {
		if p.only != nil && all[i].Dir != *p.only {
			continue
		}
		f := all[i]
		if p.snap > 0 {
			f.Data = f.Data[:min(p.snap, len(f.Data))]
		}
		s.Frames = append(s.Frames, f)
		if n := &numbers[places[i].conn][places[i].frame]; *n == 0 {
			*n = len(s.Frames)
		}
	}
	for _, w := range p.wants {
		w.resolve(numbers[w.Connection])
		s.Wants = append(s.Wants, *w)
	}
	return s
}

// WritePcap writes the capture as a pcap file.
func (s *Scene) WritePcap(w io.Writer) error { return build.WritePcap(w, s.Frames) }

// Source is the capture for whoever reads captures.
func (s *Scene) Source() (capture.Source, error) {
	var b bytes.Buffer
	if err := s.WritePcap(&b); err != nil {
		return nil, err
	}
	return capture.NewReader(&b, "scene", 0)
}
