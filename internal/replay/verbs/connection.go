//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// How long an end is waited for.
const (
	// goodbye is how long Close waits for the peer to agree.
	goodbye = time.Second
	// drainLimit is how long Next waits, once the connection has ended, for each next
	// completion of what was under way.
	drainLimit = 2 * time.Second
)

// A connection is a queue pair that the connection manager connects.
type connection struct {
	*identifier
	device           transport.Device
	local, peer      netip.AddrPort
	peerData         []byte
	context, pd      uintptr
	completionEvents uintptr
	cq, qp           uintptr
	completed        *os.File
	ownReads         int    // how many RDMA Reads the peer lets be open
	invalidateFlag   uint32 // of a completion

	// down ends, with the reason, when the connection is found broken, or is closed; gone
	// when the peer knows; shut when Close has waited for that.
	down, gone, shut    context.Context
	goDown              context.CancelCauseFunc
	isGone, toShut      context.CancelFunc
	fault               atomic.Pointer[error] // the first work that failed by itself
	watching            sync.WaitGroup
	reading             sync.Mutex // held by Next: what it uses is not destroyed before
	polled              int        // of wcs: how many there are
	taken               int        // and how many were looked at
	drained             bool       // after the end, no more comes
	wcs, eventOut       structure
	mu                  sync.Mutex // for publication, registering and closing
	closed              bool
	sendWR, recvWR, sge structure
	badWR               structure
	work                []work // that is under way, by number
	idle                []int  // numbers of work that is not
	posted              int    // Receives that the device has
	held                []bool // buffers that the caller has
	receives, sends     *region
	receiveSize         int
	sendSize            int
	regions             map[*region]struct{}
	windows             map[*window]struct{}
}

// newConnection makes all that a connection takes of the device that the identifier is
// bound to, and posts its Receives.
func newConnection(i *identifier, o transport.Options) (_ *connection, err error) {
	c := &connection{
		identifier: i, context: pointerAt(i.id, idVerbs), receiveSize: o.ReceiveSize, sendSize: o.SendSize,
		local: addressAt(i.id, idFrom), peer: addressAt(i.id, idTo),
		regions: make(map[*region]struct{}), windows: make(map[*window]struct{}),
	}
	c.down, c.goDown = context.WithCancelCause(context.Background())
	c.gone, c.isGone = context.WithCancel(context.Background())
	c.shut, c.toShut = context.WithCancel(context.Background())
	defer func() {
		if err != nil {
			err = errors.Join(err, c.release())
		}
	}()
	w := i.words
	c.wcs, c.eventOut = structure(w.make(wcSize*pollAtOnce)), structure(w.make(16))
	c.sendWR, c.recvWR, c.sge, c.badWR = w.make(sendWRSize), w.make(recvWRSize), w.make(sgeSize), w.make(8)
	for _, step := range []func() error{
		func() error { return c.ask(w.make(deviceAttrSize)) },
		func() error { return c.fits(o) },
		func() error { return c.makeQueues(o) },
		func() error { return c.makeBuffers(o) },
	} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("%s: %w", c.device.Name, err)
		}
	}
	return c, nil
}

// ask finds out about the device, whose functions are where layout.go says if the context
// is one of rdma-core.
func (c *connection) ask(attr structure) (err error) {
	if pointerAt(c.context, contextABI) != hasVerbsContext || pointerAt(c.context, contextSize) < leastContext {
		return errors.New("libibverbs, or the device's provider, does not have the layout of rdma-core 17 to 65: install the distribution's own")
	}
	c.device, err = c.describe(c.context, attr)
	c.invalidateFlag = withInvalidate
	if attr.wordAt(deviceAttrVendor) == vendorSoftRoCE && !c.device.IWARP {
		c.invalidateFlag = softWithInvalidate
	}
	return err
}

// fits says what the device has too little of.
func (c *connection) fits(o transport.Options) error {
	switch {
	case o.Receives < 1 || o.Work < 1 || o.ReceiveSize < 1 || o.SendSize < 1:
		return errors.New("a connection needs room for at least one Receive and one Send")
	case max(o.Receives, o.Work) > c.device.MostWork:
		return fmt.Errorf("its queues take %d Receives or Sends, not %d", c.device.MostWork, max(o.Receives, o.Work))
	case o.Receives+o.Work > c.device.MostCompletions:
		return fmt.Errorf("its completion queues take %d completions, not %d", c.device.MostCompletions, o.Receives+o.Work)
	}
	return nil
}

// makeQueues makes the protection domain, the completion queue and the queue pair.
func (c *connection) makeQueues(o transport.Options) (err error) {
	if c.pd, err = c.pointer(c.allocPD, c.context); err != nil {
		return fmt.Errorf("no protection domain: %w", err)
	}
	if c.completionEvents, err = c.pointer(c.createChannel, c.context); err != nil {
		return fmt.Errorf("no completion channel: %w", err)
	}
	if c.completed, err = pollable(c.completionEvents, channelFD, "the completion channel"); err != nil {
		return err
	}
	if c.cq, err = c.pointer(c.createCQ, c.context, uintptr(o.Receives+o.Work), 0, c.completionEvents, 0); err != nil {
		return fmt.Errorf("no completion queue: %w", err)
	}
	init := structure(c.words.make(qpInitSize))
	init.pointer(qpInitSendCQ, c.cq)
	init.pointer(qpInitRecvCQ, c.cq)
	init.word(qpInitSendWR, uint32(o.Work))
	init.word(qpInitRecvWR, uint32(o.Receives))
	init.word(qpInitSendSGE, 1)
	init.word(qpInitRecvSGE, 1)
	init.word(qpInitType, qpTypeRC)
	if err = c.status(c.makeQP, c.id, c.pd, address(init)); err != nil {
		return fmt.Errorf("no queue pair: %w", err)
	}
	c.qp = pointerAt(c.id, idQP)
	return c.status(pointerAt(c.context, contextReqNotify), c.cq, 0)
}

// makeBuffers registers where messages are, and posts all Receives.
func (c *connection) makeBuffers(o transport.Options) (err error) {
	if c.receives, err = c.register(o.Receives*o.ReceiveSize, transport.Registration{}); err != nil {
		return err
	}
	if c.sends, err = c.register(o.Work*o.SendSize, transport.Registration{}); err != nil {
		return err
	}
	c.work, c.held = make([]work, o.Work), make([]bool, o.Receives)
	for n := range c.work {
		c.idle = append(c.idle, n)
	}
	for slot := range o.Receives {
		if err := c.postReceive(slot); err != nil {
			return err
		}
	}
	return nil
}

// established has the connection be used, and watched for its end.
func (c *connection) established(e event) {
	c.peerData = e.data
	c.watching.Go(c.watch)
}

// watch waits for the end of the connection as the connection manager sees it. On iWARP it
// is the only one who does: what is under way gets no completion before rdma_disconnect.
func (c *connection) watch() {
	for {
		e, err := c.identifier.next(c.shut)
		switch {
		case err != nil:
			if c.shut.Err() == nil {
				c.takeDown(fmt.Errorf("the connection manager's events cannot be read: %w", err))
			}
			return
		case e.kind == disconnected:
			c.takeDown(e.asError())
			c.isGone()
		case e.kind == deviceRemoval || e.kind == connectError || e.kind == unreachable:
			c.takeDown(e.asError())
		}
	}
}

// takeDown takes the connection down, which has all work under way be told as flushed.
func (c *connection) takeDown(reason error) {
	c.goDown(reason) // the first one counts
	_ = c.status(c.disconnect, c.id)
}

func (c *connection) Device() transport.Device { return c.device }
func (c *connection) Local() netip.AddrPort    { return c.local }
func (c *connection) Peer() netip.AddrPort     { return c.peer }
func (c *connection) PrivateData() []byte      { return c.peerData }

// Close disconnects, waits a moment for the peer to know, and gives all back.
func (c *connection) Close() error {
	c.mu.Lock()
	was := c.closed
	c.closed = true
	c.mu.Unlock()
	if was {
		return nil
	}
	c.takeDown(transport.ErrClosed)
	select {
	case <-c.gone.Done():
	case <-time.After(goodbye):
	}
	c.toShut()
	c.watching.Wait()
	c.reading.Lock()
	defer c.reading.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	return errors.Join(c.release(), c.identifier.free())
}

// release gives back what newConnection made, and all windows and regions, in the order in
// which they depend on one another. Windows go before the queue pair, which is disconnected:
// on Soft-RoCE one that is bound holds it, and destroying it then takes the kernel 50 seconds.
func (c *connection) release() (err error) {
	for w := range c.windows {
		err = errors.Join(err, w.free())
	}
	if c.qp != 0 {
		_, _ = c.call(c.unmakeQP, c.id) // which returns nothing
		c.qp = 0
	}
	for r := range c.regions {
		err = errors.Join(err, r.free())
	}
	for _, made := range []struct {
		what *uintptr
		f    uintptr
	}{{&c.cq, c.destroyCQ}, {&c.completionEvents, c.destroyChannel}, {&c.pd, c.deallocPD}} {
		if *made.what != 0 {
			err = errors.Join(err, c.status(made.f, *made.what))
			*made.what = 0
		}
	}
	if c.completed != nil {
		err = errors.Join(err, c.completed.Close())
		c.completed = nil
	}
	c.goDown(transport.ErrClosed)
	c.isGone()
	c.toShut()
	return err
}
