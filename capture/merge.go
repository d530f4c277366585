package capture

import (
	"errors"
	"io"
	"math"
)

// Merge gives the frames of several sources in the order of their times.
// Frames of equal time come in the order of the sources. A frame without a
// time comes as if it had the time of the one before it in its source. A
// source whose own times go back is not sorted: its frames keep their order.
//
// A source that fails ends there; the frames of all others still come, and
// then its error, joined with others (errors.Join) if several fail, and then
// io.EOF. One source alone is returned as it is.
//
// The first Next waits for a frame of each source. A frame's Data are valid
// until the next read, as with any Source.
func Merge(sources []Source) Source {
	if len(sources) == 1 {
		return sources[0]
	}
	return &merge{unread: sources}
}

// merge holds the next frame of each source. The frame's Data stay where its
// source put them: a source is read again only when its frame was given and
// the caller has come back for another.
type merge struct {
	unread []Source // nil once the heap stands
	// heap has the frame that comes next at its root.
	heap []*lookahead
	// given says that the root's frame was given.
	given  bool
	failed []error
}

// A lookahead is one source and the next frame of it.
type lookahead struct {
	source Source
	rank   int   // the place of the source among all
	time   int64 // the frame's, or that of the last frame that had one
	frame  Frame
}

func (m *merge) Next(f *Frame) error {
	switch {
	case m.unread != nil:
		m.start()
	case m.given:
		if !m.read(m.heap[0]) {
			last := len(m.heap) - 1
			m.heap[0] = m.heap[last]
			m.heap[last] = nil
			m.heap = m.heap[:last]
		}
		m.sink(0)
	}
	m.given = len(m.heap) > 0
	if !m.given {
		return m.endMerge()
	}
	*f = m.heap[0].frame
	return nil
}

// start reads the first frame of each source and makes the heap of them.
func (m *merge) start() {
	for i, s := range m.unread {
		l := &lookahead{source: s, rank: i, time: math.MinInt64}
		if m.read(l) {
			m.heap = append(m.heap, l)
		}
	}
	m.unread = nil
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
}

// read takes the next frame of a source, and reports false where it has none.
func (m *merge) read(l *lookahead) bool {
	if err := l.source.Next(&l.frame); err != nil {
		if err != io.EOF {
			m.failed = append(m.failed, err)
		}
		return false
	}
	if l.frame.Time != 0 {
		l.time = l.frame.Time
	}
	return true
}

// sink lets the element at i of the heap sink to its place.
func (m *merge) sink(i int) {
	for {
		first := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(m.heap); child++ {
			if m.heap[child].before(m.heap[first]) {
				first = child
			}
		}
		if first == i {
			return
		}
		m.heap[i], m.heap[first] = m.heap[first], m.heap[i]
		i = first
	}
}

func (l *lookahead) before(o *lookahead) bool {
	if l.time != o.time {
		return l.time < o.time
	}
	return l.rank < o.rank
}

// endMerge gives the errors that were kept, once, and then io.EOF.
func (m *merge) endMerge() error {
	failed := m.failed
	m.failed = nil
	switch len(failed) {
	case 0:
		return io.EOF
	case 1:
		return failed[0]
	}
	return errors.Join(failed...)
}
