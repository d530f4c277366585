//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"context"
	"errors"
	"fmt"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// Next returns the next completion. It waits for both ways in which a connection reports
// its end: completions here, and events of the connection manager in watch, which then has
// down end.
func (c *connection) Next(ctx context.Context) (transport.Completion, error) {
	c.reading.Lock()
	defer c.reading.Unlock()
	for {
		if told, is, err := c.takeCompletion(); is || err != nil {
			return told, err
		}
		switch {
		case ctx.Err() != nil:
			return transport.Completion{}, context.Cause(ctx)
		case c.down.Err() == nil:
			if err := c.await(ctx, c.down); err != nil && ctx.Err() == nil && c.down.Err() == nil {
				return transport.Completion{}, err
			}
		case c.drained || c.outstanding() == 0:
			return transport.Completion{}, c.ended()
		default:
			limited, cancel := context.WithTimeout(ctx, drainLimit)
			err := c.await(limited, c.shut)
			cancel()
			c.drained = err != nil && ctx.Err() == nil
		}
	}
}

// fails ends the connection by work that failed.
func (c *connection) fails(operation transport.Operation, failed *transport.WorkError) {
	reason := workFailed(operation, failed)
	if failed.Status != transport.Flushed {
		c.fault.CompareAndSwap(nil, &reason)
	}
	if c.down.Err() == nil {
		c.takeDown(reason)
	}
}

// ended is what is reported after the end: the work that failed, if that is known, although
// the peer, which found it too, may have been quicker to disconnect.
func (c *connection) ended() error {
	reason := context.Cause(c.down)
	if errors.Is(reason, transport.ErrClosed) {
		return transport.ErrClosed
	}
	if fault := c.fault.Load(); fault != nil {
		reason = *fault
	}
	return &transport.Disconnected{Reason: reason}
}

// outstanding is how much the device still has to tell.
func (c *connection) outstanding() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.posted + len(c.work) - len(c.idle)
}

// await waits until there may be a completion, and asks to be notified of the next one.
func (c *connection) await(until ...context.Context) error {
	if err := wait(c.completed, func() error {
		return c.status(c.getCQEvent, c.completionEvents, address(c.eventOut), address(c.eventOut[8:]))
	}, until...); err != nil {
		return err
	}
	_, _ = c.call(c.ackCQEvents, c.cq, 1) // which returns nothing
	return c.status(pointerAt(c.context, contextReqNotify), c.cq, 0)
}

// takeCompletion is the next completion that is there and that the caller receives.
func (c *connection) takeCompletion() (_ transport.Completion, is bool, _ error) {
	if c.cq == 0 {
		return transport.Completion{}, false, transport.ErrClosed
	}
	for {
		if c.taken == c.polled {
			r, err := c.call(pointerAt(c.context, contextPollCQ), c.cq, pollAtOnce, address(c.wcs))
			c.taken, c.polled = 0, max(0, int(int32(r)))
			if int32(r) < 0 {
				return transport.Completion{}, false, fmt.Errorf("%s: the completion queue cannot be read: %w", c.device.Name, err)
			}
			if c.polled == 0 {
				return transport.Completion{}, false, nil
			}
		}
		wc := c.wcs[c.taken*wcSize:]
		c.taken++
		if told, is := c.completion(wc); is {
			return told, true, nil
		}
	}
}

// completion makes of a completion what the caller is told, which is nothing of a Receive that
// ended without a message. Work that failed ends the connection.
func (c *connection) completion(wc structure) (told transport.Completion, is bool) {
	number, status := wc.quadAt(wcID), wc.wordAt(wcStatus)
	var failed *transport.WorkError
	if status != statusSuccess {
		failed = c.workError(status)
	}
	c.mu.Lock()
	if number&receiveBit != 0 {
		slot := int(number &^ receiveBit)
		c.posted--
		if failed == nil {
			c.held[slot] = true
			told = transport.Completion{Operation: transport.OpReceive, Slot: slot, Message: c.buffer(slot)[:min(int(wc.wordAt(wcLength)), c.receiveSize)]}
			if wc.wordAt(wcFlags)&c.invalidateFlag != 0 {
				told.Invalidated, told.Handle = true, wc.wordAt(wcInvalidated)
			}
		}
		told.Operation, is = transport.OpReceive, failed == nil
	} else {
		w := c.work[number]
		c.work[number] = work{}
		c.idle = append(c.idle, int(number))
		if w.window != nil {
			w.window.bound(w.handle, failed == nil)
		}
		told, is = transport.Completion{Operation: w.operation, ID: w.id, Handle: w.handle}, true
		if failed != nil {
			told.Err = failed
		}
	}
	c.mu.Unlock()
	if failed != nil {
		c.fails(told.Operation, failed)
	}
	return told, is
}
