package wire

import (
	"errors"
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// DefaultMaxRegistered is how much memory is registered for segments at once: 256 MiB.
const DefaultMaxRegistered = 256 << 20

// A LimitReached says that a segment does not fit in the memory that may be registered.
type LimitReached struct {
	Need, Used, Limit int64
}

func (e *LimitReached) Error() string {
	return fmt.Sprintf("%d more bytes would have to be registered, and %d of %d already are", e.Need, e.Used, e.Limit)
}

// workBit is set in the IDs of a Memory's own work: binds and invalidations.
const workBit = 1 << 63

// Memory registers memory for segments of calls. One goroutine uses it.
type Memory struct {
	c     transport.Connection
	way   Invalidation
	limit int64
	used  int64 // with what is spare
	// idle are windows that nothing is bound to. under are segments whose window is being
	// bound or invalidated, by the work's ID.
	idle  []transport.Window
	under map[uint64]*Advertised
	// later are released segments whose window could not be invalidated so far: the send
	// queue was full.
	later []*Advertised
	spare spare
	next  uint64
}

// NewMemory returns a Memory of a connection that registers at most so many bytes at once.
func NewMemory(c transport.Connection, way Invalidation, limit int64) *Memory {
	return &Memory{c: c, way: way, limit: limit, under: make(map[uint64]*Advertised), spare: spare{ahead: make(map[*script.Segment]registered)}}
}

// Used is how many bytes are registered of segments that are advertised.
func (m *Memory) Used() int64 { return m.used - m.spare.size }

// An Advertised is memory for one segment.
type Advertised struct {
	// Segment is what the peer is told.
	rpcrdma.Segment
	registered
	window transport.Window
	// binding and leaving say what the window's work is that is under way.
	binding, leaving, released bool
}

// Bytes are the memory, Length of them, until Release. The peer may write to it.
func (a *Advertised) Bytes() []byte { return a.region.Bytes()[:a.Length] }

// Advertise registers memory for a segment: at the captured offset where the device honours
// that, with its data if the peer is to read it. Length may be another than the captured
// one. Where the limit does not allow it, the error is a *LimitReached.
func (m *Memory) Advertise(s *script.Segment, length uint32, data []byte) (*Advertised, error) {
	r, err := m.takeSegment(s, length)
	if err != nil {
		return nil, err
	}
	copy(r.region.Bytes()[:length], data)
	a := &Advertised{
		Segment: rpcrdma.Segment{Handle: r.region.Handle(), Length: length, Offset: r.region.Offset()}, registered: r,
	}
	if m.way == ByWindows {
		if err := m.bind(a, access(s)); err != nil {
			return nil, errors.Join(err, m.close(a.registered))
		}
	}
	return a, nil
}

// A registered is memory that is registered, so many bytes.
type registered struct {
	region transport.Region
	size   int64
}

// access is what the peer does with a segment.
func access(s *script.Segment) transport.Access {
	if s.Purpose == rpcrdma.ForRead {
		return transport.RemoteRead
	}
	return transport.RemoteWrite
}

// register registers memory for a segment, of another length perhaps.
func (m *Memory) register(s *script.Segment, length uint32) (made registered, err error) {
	made.size = max(int64(length), 1)
	if m.used+made.size > m.limit {
		return made, &LimitReached{Need: made.size, Used: m.used, Limit: m.limit}
	}
	r := transport.Registration{Access: access(s)}
	if m.way == ByWindows {
		r.Access |= transport.Bindable
	}
	if m.c.Device().Offsets && s.Offset+uint64(made.size) >= s.Offset {
		r.At, r.Offset = true, s.Offset
	}
	if made.region, err = m.c.Register(int(made.size), r); err == nil {
		m.used += made.size
	}
	return made, err
}

// bind has a window show the memory. What is published after it may name the handle.
func (m *Memory) bind(a *Advertised, access transport.Access) (err error) {
	if n := len(m.idle); n > 0 {
		a.window, m.idle = m.idle[n-1], m.idle[:n-1]
	} else if a.window, err = m.c.NewWindow(); err != nil {
		return err
	}
	m.next++
	a.Handle, err = a.window.Bind(workBit|m.next, transport.Range{Region: a.region, Length: int(a.size)}, access)
	if err != nil {
		m.idle = append(m.idle, a.window)
		a.window = nil
		return err
	}
	a.binding = true
	m.under[workBit|m.next] = a
	return nil
}

// Release gives the memory back, and says whether the peer has invalidated its handle. A
// window that the peer left is invalidated here first, which Completed has to be notified of.
func (m *Memory) Release(a *Advertised, invalidated bool) error {
	a.released = true
	if a.window == nil {
		return m.close(a.registered) // the peer knows the handle: it must not be of use to it any more
	}
	if invalidated {
		return m.left(a)
	}
	return m.invalidate(a)
}

// invalidate posts the invalidation of a window's handle, or notes that it is to be published
// when there is room.
func (m *Memory) invalidate(a *Advertised) error {
	a.leaving = true
	err := m.c.Invalidate(workBit|(m.next+1), a.Handle)
	if errors.Is(err, transport.ErrFull) {
		m.later = append(m.later, a)
		return nil
	}
	if err != nil {
		return err
	}
	m.next++
	m.under[workBit|m.next] = a
	return nil
}

// catchUp posts what had to wait for room.
func (m *Memory) catchUp() error {
	list := m.later
	m.later = nil
	for _, a := range list {
		if err := m.invalidate(a); err != nil {
			return err
		}
	}
	return nil
}

// left is what is done when nothing is bound to the window any more.
func (m *Memory) left(a *Advertised) error {
	if a.binding || a.leaving {
		return nil // when that has completed
	}
	if a.window != nil {
		m.idle = append(m.idle, a.window)
		a.window = nil
	}
	return m.keep(a.registered)
}

// close deregisters memory.
func (m *Memory) close(r registered) error {
	m.used -= r.size
	return r.region.Close()
}

// Completed takes a completion, and reports whether it is one of the Memory's own work. An
// error of such work is in the completion.
func (m *Memory) Completed(c transport.Completion) (own bool, err error) {
	if len(m.later) > 0 && c.Operation != transport.OpReceive && c.Err == nil {
		if err := m.catchUp(); err != nil {
			return false, err
		}
	}
	a := m.under[c.ID]
	if a == nil || c.Operation != transport.OpBind && c.Operation != transport.OpInvalidate {
		return false, nil
	}
	delete(m.under, c.ID)
	switch {
	case c.Err != nil:
		return true, nil // the connection has ended, and Close gives all back
	case c.Operation == transport.OpBind:
		a.binding = false
	default:
		a.leaving = false
	}
	if a.released {
		err = m.left(a)
	}
	return true, err
}

// Busy is how many binds and invalidations are under way, or wait for room.
func (m *Memory) Busy() int { return len(m.under) + len(m.later) }
