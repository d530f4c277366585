package live

import (
	"errors"
	"io"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/device"
)

// A Source captures frames of one or several interfaces, in the order of their times.
// It is a capture.Source, Ready, and a Keeper. One goroutine reads it; Drops and Stop
// are for any.
type Source struct {
	rings    []*ring
	kernel   *device.Kernel
	onChange func(name, what string)
	state    func(name, why string)
	keep     uint64 // Keep's n
	turns    uint64 // calls of Next while the source was not ready
	ready    bool
	// dropped says that all frames that some ring had before a drop were given: those that
	// other rings had meanwhile come next, and the ring's own only after them.
	dropped bool
	asked   []unix.PollFd // to be used again
	looked  time.Time     // when drops were counted last
	wake    int           // an eventfd, for Stop
	guard   sync.Mutex
	closed  bool // under guard
	// until is when Stop was called, in nanoseconds since 1970, 0 before: no later frame
	// is given.
	until  atomic.Int64
	failed bool // the errors of the interfaces were given
}

// Next fills f with the next frame. After Stop it returns io.EOF when all frames that
// came before that were given, and after the last interface has gone the errors of all.
func (s *Source) Next(f *capture.Frame) error {
	if !s.ready {
		s.turn()
	}
	for {
		if r := s.first(); r != nil {
			if until := s.until.Load(); until != 0 && r.time() > until {
				return s.endSource()
			}
			r.next(f)
			if s.dropped {
				f.Extra, s.dropped = r.marked, false
			}
			if r.left == 0 {
				r.spend(s.turns)
			}
			s.ready = r.left > 0 && s.first() != nil
			return nil
		}
		if err := s.wait(); err != nil {
			return err
		}
		s.refill()
	}
}

// Ready reports whether the next frame lies in the same blocks as those before.
func (s *Source) Ready() bool { return s.ready }

// Keep makes frames valid for longer, as capture.Keeper says, if the kernel still has
// more than half of the blocks then.
func (s *Source) Keep(n int) bool {
	for _, r := range s.rings {
		if uint64(n) > r.blocks/2 {
			return false
		}
	}
	s.keep = uint64(n)
	return true
}

// Stop has Next return io.EOF, after the frames that came until now. It may be called
// at any time, and more than once.
func (s *Source) Stop() {
	s.until.CompareAndSwap(0, time.Now().UnixNano())
	s.guard.Lock()
	defer s.guard.Unlock()
	if !s.closed {
		_, _ = unix.Write(s.wake, []byte{1, 0, 0, 0, 0, 0, 0, 0}) // it is full only if it was written before
	}
}

// Drops are the frames that were lost so far.
func (s *Source) Drops() (d Drops) {
	for _, r := range s.rings {
		d.Kernel += r.counted.kernel.Load()
		d.Ring += r.counted.ring.Load()
	}
	return d
}

// Waiting is which part of the ring that has the least room left has frames which were not
// given, from 0 to 1. It is for the goroutine that calls Next.
func (s *Source) Waiting() (share float64) {
	for _, r := range s.rings {
		kept := r.taken - r.returned
		share = max(share, float64(r.unfinished()-r.taken)/float64(max(1, r.blocks-kept)))
	}
	return share
}

// Close ends capturing, when nobody reads any more. Frames that were given are not valid
// any more.
func (s *Source) Close() error {
	s.guard.Lock()
	defer s.guard.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	for _, r := range s.rings {
		r.close()
	}
	s.kernel.Close()
	return unix.Close(s.wake)
}

// turn begins a call of Next while the source is not ready: what was kept for long
// enough goes back to the kernel, and new blocks are taken.
func (s *Source) turn() {
	s.turns++
	for _, r := range s.rings {
		if s.turns > s.keep {
			r.release(s.turns - s.keep)
		}
	}
	if time.Since(s.looked) >= lookAt {
		s.look()
	}
	for _, r := range s.rings {
		r.count() // soon, so that few blocks are suspected
	}
	s.refill()
}

// refill takes a block of each ring that has none with frames.
func (s *Source) refill() {
	now := time.Now().UnixNano()
	for _, r := range s.rings {
		if r.left == 0 && (r.open(now) && r.dropped || r.behindDrop()) {
			s.dropped = true
		}
	}
}

// first is the ring with the earliest frame, nil if an earlier one may still come.
func (s *Source) first() (first *ring) {
	if len(s.rings) == 1 {
		if r := s.rings[0]; r.left > 0 {
			return r
		}
		return nil
	}
	var least int64
	for _, r := range s.rings {
		if r.left > 0 {
			if t := r.time(); first == nil || t < least {
				first, least = r, t
			}
		}
	}
	for _, r := range s.rings {
		if first != nil && r.left == 0 && r.gone == nil && r.passed < least {
			return nil
		}
	}
	return first
}

// wait waits until something may have changed. It returns how capturing ended, if it did.
func (s *Source) wait() error {
	until := s.until.Load()
	if until != 0 && time.Now().UnixNano() > until+int64(2*blockLag) {
		return s.endSource()
	}
	timeout, list := lookAt, append(s.asked[:0], unix.PollFd{Fd: int32(s.wake), Events: unix.POLLIN})
	if until != 0 {
		timeout, list[0].Fd = tick, -1
	}
	living := false
	for _, r := range s.rings {
		fd := unix.PollFd{Fd: int32(r.fd), Events: unix.POLLIN}
		switch {
		case r.gone != nil:
			fd.Fd = -1 // it is passed over
		case r.kept() || r.left > 0:
			fd.Events, timeout = 0, tick // errors only
		}
		living = living || r.gone == nil || r.left > 0
		list = append(list, fd)
	}
	s.asked = list
	if !living {
		return s.endSource()
	}
	if _, err := unix.Poll(list, int(timeout.Milliseconds())); err != nil && err != unix.EINTR {
		return &capture.Error{File: s.rings[0].name, Offset: -1, Reason: "cannot be captured further: " + err.Error(), Err: err}
	}
	for i, r := range s.rings {
		if list[i+1].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0 {
			_, _ = unix.GetsockoptInt(r.fd, unix.SOL_SOCKET, unix.SO_ERROR) // which forgets it
			s.lookAt(r)
		}
	}
	if time.Since(s.looked) >= lookAt {
		s.look()
	}
	return nil
}

// look counts what was dropped, and looks whether the interfaces are there.
func (s *Source) look() {
	s.looked = time.Now()
	for _, r := range s.rings {
		if r.gone == nil {
			r.count()
			s.lookAt(r)
		}
	}
}

// lookAt asks for the state of an interface.
func (s *Source) lookAt(r *ring) {
	x, err := s.kernel.Numbered(r.index)
	switch {
	case r.gone != nil:
	case errors.Is(err, fs.ErrNotExist):
		r.gone = &capture.Error{File: r.name, Offset: -1, Reason: "the interface was removed; nothing more can be captured on it", Err: err}
		s.stands(r.name, "the interface is gone")
	case err != nil: // as before, as far as is known
	default:
		if x.Up == r.down {
			r.down = !x.Up
			r.suspects(r.taken)
			what, why := "the interface is up again", ""
			if r.down {
				what, why = "the interface is down; capturing resumes when it is up again", "the interface is down"
			}
			s.notify(r.name, what)
			s.stands(r.name, why)
		}
		if more := int64(x.Missed - r.lost); more > 0 {
			r.lost = x.Missed
			r.counted.kernel.Add(more)
			r.suspects(r.taken)
		}
	}
}

func (s *Source) notify(name, what string) {
	if s.onChange != nil {
		s.onChange(name, what)
	}
}

func (s *Source) stands(name, why string) {
	if s.state != nil {
		s.state(name, why)
	}
}

// endSource is how capturing ends: with the errors of interfaces that have gone, once, and then
// with io.EOF.
func (s *Source) endSource() error {
	s.ready = false
	s.look()
	var list []error
	for _, r := range s.rings {
		if r.gone != nil && !s.failed {
			list = append(list, r.gone)
		}
	}
	s.failed = true
	switch len(list) {
	case 0:
		return io.EOF
	case 1:
		return list[0]
	}
	return errors.Join(list...)
}
