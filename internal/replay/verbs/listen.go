//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"syscall"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// backlog is how many requests may wait for Next.
const backlog = 16

// A listener is an identifier that connections come to.
type listener struct {
	*identifier
	addr    netip.AddrPort
	reading sync.Mutex
	shut    context.Context
	toShut  context.CancelFunc
}

// Listen waits for connections.
func (p *provider) Listen(to netip.AddrPort) (_ transport.Listener, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%v: %w", to, err)
		}
	}()
	m, err := p.load()
	if err != nil {
		return nil, err
	}
	i, err := m.newIdentifier(0)
	if err != nil {
		return nil, err
	}
	putAddress(i.from, to)
	if err = i.status(i.bindAddr, i.id, address(i.from)); err == nil {
		err = i.status(i.listen, i.id, backlog)
	}
	switch {
	case errors.Is(err, syscall.EACCES):
		err = fmt.Errorf("a port below 1024 needs the capability CAP_NET_BIND_SERVICE: %w", err)
	case errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, syscall.EADDRNOTAVAIL): // the kernel says either
		err = fmt.Errorf("another program, or the kernel's NFS server, listens on this port for RDMA, or no device has the address: %w", err)
	case errors.Is(err, syscall.ENODEV):
		err = fmt.Errorf("no RDMA device of this machine has this address: %w", err)
	case err != nil:
		err = fmt.Errorf("cannot listen on it: %w", err)
	}
	if err != nil {
		return nil, errors.Join(err, i.free())
	}
	l := &listener{identifier: i, addr: addressAt(i.id, idFrom)}
	l.shut, l.toShut = context.WithCancel(context.Background())
	return l, nil
}

func (l *listener) Addr() netip.AddrPort { return l.addr }

// Next waits for a peer that asks for a connection. What comes for one of those goes to
// an event channel of its own.
func (l *listener) Next(ctx context.Context) (transport.Request, error) {
	l.reading.Lock()
	defer l.reading.Unlock()
	for {
		if l.shut.Err() != nil {
			return nil, transport.ErrClosed
		}
		e, err := l.identifier.next(ctx, l.shut)
		switch {
		case err != nil && l.shut.Err() != nil:
			return nil, transport.ErrClosed
		case err != nil:
			return nil, err
		case e.kind != connectRequest:
			continue // as of a peer that gave up
		}
		i, err := l.newIdentifier(e.id)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", l.addr, errors.Join(err, l.status(l.destroyID, e.id)))
		}
		r := &request{identifier: i, event: e, peer: addressAt(i.id, idTo)}
		if r.device, err = l.describe(pointerAt(i.id, idVerbs), i.words.make(deviceAttrSize)); err != nil {
			return nil, errors.Join(err, i.free())
		}
		return r, nil
	}
}

// Close ends Next and the listening. Requests and connections go on.
func (l *listener) Close() error {
	l.toShut()
	l.reading.Lock() // what Next uses is not given back before it has returned
	defer l.reading.Unlock()
	return l.free()
}

// A request is an identifier that is not connected yet.
type request struct {
	*identifier
	event  event
	peer   netip.AddrPort
	device transport.Device
}

func (r *request) PrivateData() []byte      { return r.event.data }
func (r *request) Peer() netip.AddrPort     { return r.peer }
func (r *request) Device() transport.Device { return r.device }

// errAnswered is what a second answer to a request gets.
var errAnswered = errors.New("the request is answered already")

// Accept makes the connection.
func (r *request) Accept(ctx context.Context, o transport.Options) (_ transport.Connection, err error) {
	o = o.WithDefaults()
	defer func() {
		if err != nil {
			err = fmt.Errorf("%v: %w", r.peer, err)
		}
	}()
	i := r.identifier
	if i == nil {
		return nil, errAnswered
	}
	r.identifier = nil
	c, err := newConnection(i, o)
	if err != nil {
		return nil, errors.Join(err, i.free())
	}
	if err := c.acceptFor(ctx, r.event, o); err != nil {
		return nil, errors.Join(err, c.release(), i.free())
	}
	return c, nil
}

// acceptFor accepts what an event asks for. The depths in it are the peer's: as many Reads
// as it lets us open are our initiator depth, and what it wants of us our responder
// resources. With these the wrong way round the first RDMA Read waits for ever.
func (c *connection) acceptFor(ctx context.Context, asked event, o transport.Options) error {
	if err := c.carries(o.PrivateData, mostAnswerData); err != nil {
		return err
	}
	c.ownReads = min(int(asked.depth), c.device.MostOwnReads)
	c.setParam(o.PrivateData, min(int(asked.resources), c.device.MostReads), c.ownReads)
	if err := c.status(c.accept, c.id, address(c.param)); err != nil {
		return fmt.Errorf("the connection cannot be accepted: %w", err)
	}
	e, err := c.expect(ctx, o.Limit, established)
	switch {
	case errors.Is(err, errLimit):
		return fmt.Errorf("it requested a connection, and did not answer within %v", o.Limit)
	case err != nil:
		return err
	}
	e.data = asked.data
	c.established(e)
	return nil
}

// Reject refuses the connection.
func (r *request) Reject(data []byte) error {
	i := r.identifier
	switch {
	case i == nil:
		return errAnswered
	case len(data) > mostRejectData:
		return fmt.Errorf("%d bytes of private data exceed the %d that can be sent", len(data), mostRejectData)
	}
	r.identifier = nil
	copy(i.data, data)
	return errors.Join(i.status(i.manager.reject, i.id, address(i.data), uintptr(len(data))), i.free())
}
