package wire

import (
	"errors"

	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// mostSpare is how much memory is registered that no peer receives: 16 MiB.
const mostSpare = 16 << 20

// Spare memory is registered, and no peer knows it. Registering and deregistering takes a system call and
// the time for each page: between a reply and the next call that would be longer than the server
// takes for many a call.
type spare struct {
	// ahead is for segments that are still to be advertised, left what no window shows any more.
	ahead map[*script.Segment]registered
	left  []registered
	size  int64
}

// Ahead registers memory for a segment that is to be advertised later, and reports whether there
// was room for it.
func (m *Memory) Ahead(s *script.Segment) bool {
	if _, is := m.spare.ahead[s]; is {
		return true
	}
	if m.spare.size+int64(s.Length) > min(mostSpare, m.limit) {
		return false
	}
	r, err := m.register(s, s.Length)
	if err != nil {
		return false // to be reported when it is advertised, if it still is so then
	}
	m.spare.ahead[s] = r
	m.spare.size += r.size
	return true
}

// takeSegment is registered memory for a segment: what was registered ahead, or now. Spare memory is given
// back where there is no room beside it.
func (m *Memory) takeSegment(s *script.Segment, length uint32) (registered, error) {
	if r, is := m.spare.ahead[s]; is {
		delete(m.spare.ahead, s)
		m.spare.size -= r.size
		if length == s.Length {
			return r, nil
		}
		if err := m.close(r); err != nil {
			return r, err
		}
	}
	r, err := m.register(s, length)
	if ended := (*transport.Disconnected)(nil); err == nil || m.spare.size == 0 || errors.As(err, &ended) {
		return r, err
	}
	if err := m.dropSpare(); err != nil {
		return r, err
	}
	return m.register(s, length)
}

// keep takes memory that is not needed any more.
func (m *Memory) keep(r registered) error {
	if m.spare.size+r.size > mostSpare {
		return m.close(r)
	}
	m.spare.left = append(m.spare.left, r)
	m.spare.size += r.size
	return nil
}

// dropSpare deregisters what no peer knows.
func (m *Memory) dropSpare() (err error) {
	for _, r := range m.spare.ahead {
		err = errors.Join(err, m.close(r))
	}
	for _, r := range m.spare.left {
		err = errors.Join(err, m.close(r))
	}
	clear(m.spare.ahead)
	m.spare.left, m.spare.size = nil, 0
	return err
}
