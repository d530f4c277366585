package fabric

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// A connection is one side; all of it is under the fabric's lock.
type connection struct {
	f           *Fabric
	other       *connection
	number      int
	dialed      bool
	local, peer netip.AddrPort
	data        []byte // the peer's
	options     transport.Options
	ownReads    int
	mayBegin    bool // on iWARP not before the peer has, if that one dialed

	completions []transport.Completion // that Next has not returned yet
	underWay    int                    // of those, this side's own work
	posted      []int                  // Receives, in the order in which they are used
	held        []bool                 // buffers that the caller has
	buffers     [][]byte
	handles     map[uint32]*memory // by which the peer finds memory
	windows     map[*window]struct{}
	regions     map[*region]struct{}

	reason error // of the end
	closed bool
	wake   chan struct{}
}

var _ transport.Connection = (*connection)(nil)

func (f *Fabric) newConnection(o transport.Options) *connection {
	c := &connection{
		f: f, options: o, wake: make(chan struct{}, 1), held: make([]bool, o.Receives),
		handles: make(map[uint32]*memory), windows: make(map[*window]struct{}), regions: make(map[*region]struct{}),
	}
	for slot := range o.Receives {
		c.buffers = append(c.buffers, make([]byte, o.ReceiveSize))
		c.posted = append(c.posted, slot)
	}
	f.open[c] = struct{}{}
	return c
}

func (c *connection) Device() transport.Device { return c.f.device }
func (c *connection) Local() netip.AddrPort    { return c.local }
func (c *connection) Peer() netip.AddrPort     { return c.peer }
func (c *connection) PrivateData() []byte      { return c.data }

// Next returns the next completion, and after the end why that is.
func (c *connection) Next(ctx context.Context) (transport.Completion, error) {
	for {
		if done, is, err := c.takeCompletion(); is || err != nil {
			return done, err
		}
		select {
		case <-c.wake:
		case <-ctx.Done():
			return transport.Completion{}, context.Cause(ctx)
		}
	}
}

func (c *connection) takeCompletion() (done transport.Completion, is bool, err error) {
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	switch {
	case c.closed:
		signal(c.wake) // for who else waits
		return done, false, transport.ErrClosed
	case len(c.completions) > 0:
		done = c.completions[0]
		c.completions = c.completions[1:]
		if done.Operation != transport.OpReceive {
			c.underWay--
		}
		if done.Operation == transport.OpBind && done.Err == nil {
			for w := range c.windows {
				if w.handle == done.Handle {
					w.binding = false
				}
			}
		}
		signal(c.wake)
		return done, true, nil
	case c.reason != nil:
		signal(c.wake)
		return done, false, c.ended()
	}
	return done, false, nil
}

// complete has Next return a completion.
func (c *connection) complete(done transport.Completion) {
	c.completions = append(c.completions, done)
	signal(c.wake)
}

// disconnect ends the connection on this side; the first reason counts.
func (c *connection) disconnect(reason error) {
	if c.reason == nil {
		c.reason = reason
	}
	signal(c.wake)
}

func (c *connection) ended() error {
	if c.closed {
		return transport.ErrClosed
	}
	return &transport.Disconnected{Reason: c.reason}
}

var errPeerLeft = errors.New("the peer disconnected")

// Repost gives the buffer of a message back.
func (c *connection) Repost(of transport.Completion) error {
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	switch {
	case c.closed:
		return transport.ErrClosed
	case of.Operation != transport.OpReceive || of.Slot < 0 || of.Slot >= len(c.held) || !c.held[of.Slot]:
		return errors.New("there is no such message to give back")
	}
	c.held[of.Slot] = false
	clear(c.buffers[of.Slot]) // who still looks at the message sees that it is gone
	c.posted = append(c.posted, of.Slot)
	return nil
}

// Close ends the connection on both sides.
func (c *connection) Close() error {
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	if c.closed {
		return nil
	}
	if c.reason == nil {
		c.f.record(Event{Connection: c.number, Kind: Leave, ToServer: c.dialed})
		c.other.disconnect(errPeerLeft)
	}
	c.disconnect(transport.ErrClosed)
	c.closed = true
	clear(c.handles)
	clear(c.regions)
	clear(c.windows)
	delete(c.f.open, c)
	return nil
}

// workError is a status in the words that libibverbs and internal/replay/verbs have for it.
func workError(status int) *transport.WorkError {
	text := map[int]string{
		1:  "local length error (status 1): the message is longer than the Receive that it came to",
		4:  "local protection error (status 4): memory was used that is not registered for this",
		5:  "Work Request Flushed Error (status 5): it was not done, since the connection had ended",
		6:  "memory management operation error (status 6): the window is bound already, or its memory is not registered for windows",
		9:  "remote invalid request error (status 9): a peer may only invalidate the handle of a memory window",
		10: "remote access error (status 10): the peer has no such memory, or it is not registered for this",
		11: "remote operation error (status 11): the peer could not take it: is the message longer than its Receives?",
		13: "RNR retry counter exceeded (status 13): the peer has posted no Receive for it: were more messages sent than it granted credits?",
	}[status]
	return &transport.WorkError{Status: status, Text: text}
}

// breaks ends the connection by work of this side with a status, which finds its peer with
// another, or with none where that only sees the end.
func (c *connection) breaks(w transport.Completion, status, peers int) {
	own := error(fmt.Errorf("%v failed: %w", w.Operation, workError(status)))
	if c.f.device.IWARP {
		status = transport.Flushed // the peer's Terminate says more, but not to this work
	}
	if status == transport.Flushed {
		own = fmt.Errorf("the peer disconnected, or one side found a fault (%w)", workError(status))
	}
	w.Err = workError(status)
	c.complete(w)
	c.disconnect(own)
	switch {
	case peers > 0:
		c.other.disconnect(fmt.Errorf("%v failed: %w", transport.OpReceive, workError(peers)))
	case peers == 0:
		c.other.disconnect(fmt.Errorf("the peer disconnected, or one side found a fault (%w)", workError(transport.Flushed)))
	default:
		c.other.disconnect(errPeerLeft)
	}
	c.other.posted = slices.Delete(c.other.posted, 0, len(c.other.posted))
}
