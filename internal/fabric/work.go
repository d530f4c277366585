package fabric

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// take1 says why no work is taken, or counts one more.
func (c *connection) take1() error {
	switch {
	case c.closed:
		return transport.ErrClosed
	case c.reason != nil:
		return c.ended()
	case c.underWay >= c.options.Work:
		return transport.ErrFull
	}
	c.underWay++
	return nil
}

// Send puts a message where the peer's next Receive is.
func (c *connection) Send(id uint64, message []byte) error {
	return c.send(id, message, nil)
}

// SendAll sends messages one after the other.
func (c *connection) SendAll(first uint64, messages [][]byte) (taken int, err error) {
	for _, m := range messages {
		if err := c.Send(first+uint64(taken), m); errors.Is(err, transport.ErrFull) && taken > 0 {
			return taken, nil
		} else if err != nil {
			return taken, err
		}
		taken++
	}
	return taken, nil
}

// SendInvalidate invalidates a handle of the peer besides.
func (c *connection) SendInvalidate(id uint64, message []byte, handle uint32) error {
	return c.send(id, message, &handle)
}

func (c *connection) send(id uint64, message []byte, invalidate *uint32) error {
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	if len(message) > c.options.SendSize {
		return fmt.Errorf("a message of %d bytes is longer than this connection sends, %d", len(message), c.options.SendSize)
	}
	if err := c.take1(); err != nil {
		return err
	}
	done := transport.Completion{Operation: transport.OpSend, ID: id}
	e := Event{Kind: Send, Bytes: message}
	if invalidate != nil {
		e.Kind, e.Remote.Handle = SendInvalidate, *invalidate
	}
	if c.tooEarly(done, e) {
		return nil
	}
	peer := c.other
	if len(peer.posted) == 0 {
		c.fault(done, e, 13, -1)
		return nil
	}
	slot := peer.posted[0]
	peer.posted = peer.posted[1:]
	got := transport.Completion{Operation: transport.OpReceive, Slot: slot}
	switch {
	case len(message) > peer.options.ReceiveSize:
		c.fault(done, e, 11, 1)
		return nil
	case invalidate != nil && !peer.invalidated(*invalidate, &got):
		c.fault(done, e, 11, 9)
		return nil
	}
	got.Message = peer.buffers[slot][:copy(peer.buffers[slot], message)]
	peer.held[slot] = true
	peer.complete(got)
	c.succeeds(done, e)
	return nil
}

// invalidated has a handle of this side be none any more, if its peer may do that.
func (c *connection) invalidated(handle uint32, got *transport.Completion) bool {
	m := c.handles[handle]
	switch {
	case m == nil:
		return false
	case m.window != nil:
		got.Invalidated, got.Handle = true, handle
	case !c.f.device.InvalidatesPlain:
		return false
	}
	delete(c.handles, handle)
	return true
}

// Read fills a range with memory of the peer.
func (c *connection) Read(id uint64, to transport.Range, from transport.Remote) error {
	return c.move(id, transport.OpRead, to, from)
}

// Write fills memory of the peer with a range.
func (c *connection) Write(id uint64, from transport.Range, to transport.Remote) error {
	return c.move(id, transport.OpWrite, from, to)
}

func (c *connection) move(id uint64, what transport.Operation, r transport.Range, there transport.Remote) error {
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	if what == transport.OpRead && c.ownReads == 0 {
		return errors.New("this side may not issue RDMA Reads: the peer allowed none at connection setup")
	}
	of, mine, err := c.here(r)
	switch {
	case err != nil:
		return err
	case what == transport.OpRead && of.access&transport.Sink == 0:
		return errors.New("the memory was not registered as a sink of RDMA Reads")
	}
	if err := c.take1(); err != nil {
		return err
	}
	e, needs := Event{Kind: Write, Remote: there, Bytes: mine}, transport.RemoteWrite
	if what == transport.OpRead {
		e.Kind, needs = Read, transport.RemoteRead
	}
	done := transport.Completion{Operation: what, ID: id}
	if c.tooEarly(done, e) {
		return nil
	}
	if len(mine) > 0 { // of nothing, no handle is looked at
		m := c.other.handles[there.Handle]
		var theirs []byte
		is := m != nil && m.access&needs != 0
		if is {
			theirs, is = m.within(there.Offset, len(mine))
		}
		switch {
		case !is:
			c.fault(done, e, 10, 0)
			return nil
		case what == transport.OpRead:
			copy(mine, theirs)
		default:
			copy(theirs, mine)
		}
	}
	c.succeeds(done, e)
	return nil
}

// Invalidate invalidates a handle of a window of this side.
func (c *connection) Invalidate(id uint64, handle uint32) error {
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	if err := c.take1(); err != nil {
		return err
	}
	done := transport.Completion{Operation: transport.OpInvalidate, ID: id}
	if m := c.handles[handle]; m == nil || m.window == nil {
		c.breaks(done, 6, -1)
		return nil
	}
	delete(c.handles, handle)
	c.complete(done)
	return nil
}

// tooEarly ends a connection of iWARP whose side that accepted begins.
func (c *connection) tooEarly(done transport.Completion, e Event) bool {
	if c.mayBegin {
		return false
	}
	c.fault(done, e, transport.Flushed, 0)
	c.reason = errors.New("the side that accepted an iWARP connection has to wait for the other's first message (RFC 5044, section 7.1)")
	return true
}

// succeeds reports work that was done.
func (c *connection) succeeds(done transport.Completion, e Event) {
	c.other.mayBegin = true
	c.note(e)
	c.complete(done)
}

// fault breaks the connection by work that crossed to the peer.
func (c *connection) fault(done transport.Completion, e Event, status, peers int) {
	e.Status = status
	c.note(e)
	c.breaks(done, status, peers)
}

// note records what crossed from this side.
func (c *connection) note(e Event) {
	e.Connection, e.ToServer = c.number, c.dialed
	e.Bytes = bytes.Clone(e.Bytes)
	c.f.record(e)
}
