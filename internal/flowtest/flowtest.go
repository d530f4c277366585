// Package flowtest plays captures to the trackers below dissect/flow/track, for fuzz targets:
// with limits that few frames reach, and with what shards are told between frames.
package flowtest

import (
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// Small are limits that are reached by few frames.
func Small() flow.Limits {
	return flow.Limits{Claims: 3, Waiting: 3, Pair: 4, Queued: 4 << 10, Kept: 4 << 10, Assembled: 8 << 10}
}

// A Tracker is what is tested.
type Tracker interface {
	// Frame takes a frame, if it is one of the tracker's transport.
	Frame(f *flow.Frame, v *flow.Verdict)
	LetGo(which flow.Between)
	// Flush ends the capture, but for the connections that are open.
	Flush()
	// Within demands that it keeps no more than its limits, and counts what it keeps as it is.
	Within(t *testing.T)
	// Left is how many things it keeps, but for marks of connections that ended.
	Left() int
	// Other does what only this tracker can, about the last frame: n says what.
	Other(t *testing.T, f *flow.Frame, n byte)
}

// A Sink holds a tracker to its promises: a connection is opened before anything else of it and
// closed once.
type Sink struct {
	t              testing.TB
	opened, closed map[*flow.Conn]bool
}

// New returns Connections with small limits, and the Sink that they tell.
func New(t testing.TB) (*flow.Connections, *Sink) {
	s := &Sink{t, make(map[*flow.Conn]bool), make(map[*flow.Conn]bool)}
	n := 0
	all := &flow.Connections{Shared: &flow.Shared{Sink: s, Limits: Small()}, Made: func(c *flow.Conn) {
		n++
		c.ID = n
	}}
	return all, s
}

func (s *Sink) alive(c *flow.Conn, what string) {
	if !s.opened[c] || s.closed[c] {
		s.t.Errorf("connection %d: %s before it is opened or behind its end", c.ID, what)
	}
}

// Opened is that of flow.Sink.
func (s *Sink) Opened(c *flow.Conn) {
	if s.opened[c] {
		s.t.Errorf("connection %d is opened twice", c.ID)
	}
	s.opened[c] = true
}

// Send is that of flow.Sink.
func (s *Sink) Send(c *flow.Conn, m *flow.Send) {
	s.alive(c, "a Send")
	if m.Whole != (m.Missing == "") || len(m.Bytes) > m.Length || m.Whole && len(m.Bytes) != m.Length {
		s.t.Errorf("a Send of %d bytes has %d: whole %v, missing %q", m.Length, len(m.Bytes), m.Whole, m.Missing)
	}
}

// Write is that of flow.Sink.
func (s *Sink) Write(c *flow.Conn, w *flow.Write) {
	s.alive(c, "an RDMA Write")
	if len(w.Bytes) > w.Length {
		s.t.Errorf("%d bytes of an RDMA Write of %d", len(w.Bytes), w.Length)
	}
}

// Read is that of flow.Sink.
func (s *Sink) Read(c *flow.Conn, _ *flow.Read) { s.alive(c, "an RDMA Read") }

// ReadData is that of flow.Sink.
func (s *Sink) ReadData(c *flow.Conn, r *flow.Read, d *flow.ReadData) {
	s.alive(c, "data of an RDMA Read")
	if d.At+uint64(d.Length) > uint64(r.Length) || len(d.Bytes) > d.Length {
		s.t.Errorf("%d bytes (%d captured) at %d of an RDMA Read of %d", d.Length, len(d.Bytes), d.At, r.Length)
	}
}

// FrameDone is that of flow.Sink.
func (s *Sink) FrameDone(c *flow.Conn) { s.alive(c, "Settled") }

// Closed is that of flow.Sink.
func (s *Sink) Closed(c *flow.Conn) {
	s.alive(c, "Closed")
	s.closed[c] = true
}

// Ended is how many connections have been closed.
func (s *Sink) Ended() int { return len(s.closed) }

// Play plays frames to a tracker. Between them it does what script says, two bytes at a time:
// how many frames come before, and what is done then.
func Play(t *testing.T, all *flow.Connections, s *Sink, x Tracker, list []capture.Frame, script []byte) {
	t.Helper()
	ordinal, frames := int64(0), int64(0)
	take := func(n int, then byte, more bool) {
		var f flow.Frame
		for range min(n, len(list)) {
			f.Frame, list = list[0], list[1:]
			f.Decode(link.Options{})
			ordinal++
			if f.HasIB() || f.Link.Transport == link.TCP {
				frames++
			}
			all.Advance(ordinal, frames)
			var v flow.Verdict
			x.Frame(&f, &v)
			if v.Conn != nil && !s.opened[v.Conn] {
				t.Error("a verdict names a connection that was not opened")
			}
		}
		x.Within(t)
		if more {
			between(t, all, s, x, &f, ordinal, then)
			x.Within(t)
		}
	}
	for ; len(script) >= 2; script = script[2:] {
		take(int(script[0]), script[1], true)
	}
	take(len(list), 0, false)
	all.Leave(ordinal + 1)
	x.Flush()
	all.CloseAll()
	open, closing := all.Number()
	if open+closing+x.Left()+all.Kept+all.Assembled != 0 || len(s.opened) != len(s.closed) {
		t.Errorf("behind the end of the capture %d connections are open, %d closing, %d more are kept, of %d and %d bytes; %d were opened, %d closed",
			open, closing, x.Left(), all.Kept, all.Assembled, len(s.opened), len(s.closed))
	}
}

// between does something between two frames.
func between(t *testing.T, all *flow.Connections, s *Sink, x Tracker, last *flow.Frame, ordinal int64, what byte) {
	t.Helper()
	let := func(which flow.Between) {
		all.Leave(ordinal + 1)
		all.LetGo(func(c *flow.Conn) bool { return which(c.Ends[0].Addr, c.Ends[1].Addr) })
		x.LetGo(which)
	}
	switch what % 4 {
	case 0:
		let(func(_, _ link.Addr) bool { return true })
		if open, _ := all.Number(); open+x.Left()+all.Kept+all.Assembled != 0 {
			t.Errorf("behind frame %d all was let go, and %d connections are open, %d more are kept, of %d and %d bytes", ordinal, open, x.Left(), all.Kept, all.Assembled)
		}
	case 1:
		src, dst := last.Link.Src(), last.Link.Dst()
		these := func(a, b link.Addr) bool { return a == src && b == dst || a == dst && b == src }
		let(these)
		before := s.Ended()
		all.LetGo(func(c *flow.Conn) bool { return these(c.Ends[0].Addr, c.Ends[1].Addr) })
		if s.Ended() != before {
			t.Errorf("behind frame %d connections were left that had been let go", ordinal)
		}
	case 2:
		all.Dropped(flow.Moment{Ref: last.Ref(), Time: last.Time})
	case 3:
		x.Other(t, last, what/4)
	}
}
