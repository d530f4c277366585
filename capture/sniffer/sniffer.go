// Package sniffer captures on an RDMA device: it makes a capture.Source of what the device's
// sniffer receives. The device itself is reached through a Port, of which package internal/replay/verbs has
// the one to libibverbs, and tests have others.
//
//	device ──> slots ──(Port: Poll, Wait, Post)──> Source ──> Frame
package sniffer

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
)

// A Port is a port of an RDMA device that fills slots with frames, in the order in which
// they come. One goroutine uses it; Stop is for any.
type Port interface {
	// Link is what frames begin with.
	Link() link.Type
	// Slots is how many there are. At first the device has all of them.
	Slots() int
	// Frame is what a slot has room for. It is valid until the slot is published.
	Frame(slot int) []byte
	// Post gives a slot to the device.
	Post(slot int) error
	// Poll fills list with what the device has filled, and returns how many these are.
	Poll(list []Arrival) (int, error)
	// Wait returns when the device may have filled a slot since Poll found none, or when
	// Stop was called, however long ago.
	Wait() error
	Stop()
	Close() error
}

// An Arrival is a slot that the device has filled.
type Arrival struct {
	Slot, Length int // the bytes of the frame
}

// atOnce is how many arrivals are asked for in one call.
const atOnce = 64

// A Source gives the frames of a Port. It is a capture.Source, and Ready. One goroutine
// reads it; Stop is for any.
type Source struct {
	port    Port
	now     func() time.Time
	arrived [atOnce]Arrival
	n, next int // of arrived: how many there are, and which one is given next
	free    int // slots that the device has
	held    int // the slot of the frame that was given last, -1 for none
	time    int64
	number  int64
	// starved says that the device had no slot left when arrived was taken, and lost that
	// frames may be missing before the next that is given.
	starved, lost bool
	times         int64 // how often it was starved
	marked        *capture.Extra
	stopped       atomic.Bool
}

// New returns the Source of a Port.
func New(port Port) *Source {
	return &Source{port: port, now: time.Now, free: port.Slots(), held: -1, marked: &capture.Extra{Dropped: true}}
}

// Next fills f with the next frame, whose time is when it was taken from the device. After
// Stop it returns io.EOF when all frames that came before were given.
func (s *Source) Next(f *capture.Frame) error {
	if err := s.giveBack(); err != nil {
		return err
	}
	for s.next == s.n {
		if err := s.poll(); err != nil {
			return err
		}
	}
	a := s.arrived[s.next]
	s.next++
	s.held = a.Slot
	s.number++
	*f = capture.Frame{
		Data: s.port.Frame(a.Slot)[:a.Length], Length: int32(a.Length), Time: s.time, Number: s.number, Link: s.port.Link(),
	}
	if s.lost {
		f.Extra, s.lost = s.marked, false
	}
	return nil
}

// giveBack gives the device the slot of the frame that was given last.
func (s *Source) giveBack() error {
	if s.held < 0 {
		return nil
	}
	slot := s.held
	s.held = -1
	s.free++
	return s.port.Post(slot)
}

// poll waits until something has arrived.
func (s *Source) poll() (err error) {
	s.next, s.n = 0, 0
	stopped := s.stopped.Load()
	if s.n, err = s.port.Poll(s.arrived[:]); err != nil {
		return err
	}
	switch {
	case s.n > 0:
		s.time = max(s.time, s.now().UnixNano())
		s.free -= s.n
		s.lost, s.starved = s.starved, s.free == 0
		if s.starved { // what comes until a slot is given back is lost
			s.times++
		}
		return nil
	case stopped:
		return io.EOF
	}
	return s.port.Wait()
}

// Ready reports whether the next frame has come already.
func (s *Source) Ready() bool { return s.next < s.n }

// Starved is how often the device had no slot left, so that frames may be missing. No
// device counts them.
func (s *Source) Starved() int64 { return s.times }

// Stop has Next return io.EOF, after the frames that came until now.
func (s *Source) Stop() {
	s.stopped.Store(true)
	s.port.Stop()
}

// Close ends capturing, when nobody reads any more.
func (s *Source) Close() error { return s.port.Close() }
