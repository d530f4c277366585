package fabric

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"syscall"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// A listener has the requests that nobody has taken yet.
type listener struct {
	f       *Fabric
	addr    netip.AddrPort
	waiting []*request
	wake    chan struct{}
	shut    chan struct{}
	once    sync.Once
}

// Listen waits for connections.
func (f *Fabric) Listen(at netip.AddrPort) (transport.Listener, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at.Port() == 0 {
		at = netip.AddrPortFrom(at.Addr(), f.nextPort())
	}
	if f.listeners[at] != nil {
		return nil, fmt.Errorf("%v: another program listens at this port for RDMA: %w", at, syscall.EADDRINUSE)
	}
	l := &listener{f: f, addr: at, wake: make(chan struct{}, 1), shut: make(chan struct{})}
	f.listeners[at] = l
	return l, nil
}

func (l *listener) Addr() netip.AddrPort { return l.addr }

// Next is the request that has waited longest, but for those whose peer gave up.
func (l *listener) Next(ctx context.Context) (transport.Request, error) {
	for {
		if r := l.takeRequest(); r != nil {
			return r, nil
		}
		select {
		case <-l.wake:
		case <-l.shut:
			return nil, transport.ErrClosed
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func (l *listener) takeRequest() *request {
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	for len(l.waiting) > 0 {
		r := l.waiting[0]
		l.waiting = l.waiting[1:]
		if !r.used {
			return r
		}
	}
	return nil
}

// Close ends Next and the listening; who waits for an answer is refused.
func (l *listener) Close() error {
	l.once.Do(func() {
		close(l.shut)
		l.f.mu.Lock()
		defer l.f.mu.Unlock()
		delete(l.f.listeners, l.addr)
		for _, r := range l.waiting {
			r.refuse(nil)
		}
	})
	return nil
}

// A request is answered once: by Accept, Reject, or the peer that gave up.
type request struct {
	f        *Fabric
	number   int
	from, to netip.AddrPort
	asked    transport.Options
	used     bool // under the fabric's lock
	answered chan struct{}
	dialed   *connection
	err      error
}

var errAnswered = errors.New("the request is answered already")

func (r *request) PrivateData() []byte      { return r.f.padded(r.asked.PrivateData, mostRequest) }
func (r *request) Peer() netip.AddrPort     { return r.from }
func (r *request) Device() transport.Device { return r.f.device }

// Accept makes both sides of the connection.
func (r *request) Accept(_ context.Context, o transport.Options) (transport.Connection, error) {
	o = o.WithDefaults()
	if err := r.f.fits(o, mostAnswer); err != nil {
		r.f.mu.Lock()
		defer r.f.mu.Unlock()
		r.refuse(nil)
		return nil, fmt.Errorf("%v: %w", r.from, err)
	}
	r.f.mu.Lock()
	defer r.f.mu.Unlock()
	if r.used {
		return nil, fmt.Errorf("%v: %w", r.from, errAnswered)
	}
	r.used = true
	dialed, accepted := r.f.newConnection(r.asked), r.f.newConnection(o)
	for _, c := range []struct {
		*connection
		other       *connection
		local, peer netip.AddrPort
		data        []byte
	}{
		{dialed, accepted, r.from, r.to, r.f.padded(o.PrivateData, mostAnswer)},
		{accepted, dialed, r.to, r.from, r.f.padded(r.asked.PrivateData, mostRequest)},
	} {
		c.connection.other, c.connection.local, c.connection.peer, c.connection.data = c.other, c.local, c.peer, c.data
		c.number = r.number
	}
	dialed.dialed, dialed.mayBegin, accepted.mayBegin = true, true, !r.f.device.IWARP
	accepted.ownReads = min(r.asked.Reads, r.f.device.MostReads, r.f.device.MostOwnReads)
	r.dialed = dialed
	r.f.record(Event{Connection: r.number, Kind: Agree, Bytes: o.PrivateData})
	close(r.answered)
	return accepted, nil
}

// Reject refuses the connection.
func (r *request) Reject(data []byte) error {
	if len(data) > mostReject {
		return fmt.Errorf("%d bytes of private data are more than the %d that can be sent", len(data), mostReject)
	}
	r.f.mu.Lock()
	defer r.f.mu.Unlock()
	if r.used {
		return errAnswered
	}
	r.refuse(data)
	return nil
}

// refuse tells the peer no.
func (r *request) refuse(data []byte) {
	if r.used {
		return
	}
	status := 28
	if r.f.device.IWARP {
		status = -int(syscall.ECONNRESET)
	}
	r.used, r.err = true, &transport.Rejected{Status: status, PrivateData: r.f.padded(data, mostReject), Text: "the program that listens at that port refused the connection"}
	r.f.record(Event{Connection: r.number, Kind: Refuse, Status: status, Bytes: data})
	close(r.answered)
}

// giveUp takes the request back, if nobody has answered it.
func (r *request) giveUp() bool {
	r.f.mu.Lock()
	defer r.f.mu.Unlock()
	was := r.used
	r.used = true
	return !was
}
