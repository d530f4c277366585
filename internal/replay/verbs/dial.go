//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"syscall"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// mostRequestData and mostAnswerData are how much private data InfiniBand and RoCE carry.
const (
	mostRequestData = 56
	mostAnswerData  = 196
	mostRejectData  = 148
	// mostIWARPData is how much iWARP carries by this library, which has one byte for
	// its length.
	mostIWARPData = 255
)

// Dial connects: address, route, queue pair, Receives, and then the connection.
func (p *provider) Dial(ctx context.Context, to netip.AddrPort, o transport.Options) (_ transport.Connection, err error) {
	o = o.WithDefaults()
	defer func() {
		if err != nil {
			err = fmt.Errorf("%v: %w", to, err)
		}
	}()
	m, err := p.load()
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		c, err := m.dial(ctx, to, o)
		switch {
		case err == nil:
			return c, nil
		case try == mostPorts || o.From.Port() != 0 || !errors.Is(err, syscall.EADDRINUSE):
			return nil, err
		}
	}
}

// mostPorts is how many ports are tried: the kernel chooses one that no RDMA connection has,
// but for iWARP a TCP connection may have it, or have had it a moment ago.
const mostPorts = 5

// dial connects, from one port.
func (m *manager) dial(ctx context.Context, to netip.AddrPort, o transport.Options) (*connection, error) {
	i, err := m.newIdentifier(0)
	if err != nil {
		return nil, err
	}
	if err := i.resolve(ctx, to, o); err != nil {
		return nil, errors.Join(err, i.free())
	}
	c, err := newConnection(i, o)
	if err != nil {
		return nil, errors.Join(err, i.free())
	}
	if late, err := c.request(ctx, o); late != nil {
		go func() {
			<-late
			_ = errors.Join(c.release(), i.free()) // nobody is left to tell
		}()
		return nil, err
	} else if err != nil {
		return nil, errors.Join(err, c.release(), i.free())
	}
	return c, nil
}

// resolve binds the identifier to the device by which the address is reached.
func (i *identifier) resolve(ctx context.Context, to netip.AddrPort, o transport.Options) error {
	putAddress(i.to, to)
	from := uintptr(0)
	if o.From.IsValid() {
		putAddress(i.from, o.From)
		from = address(i.from)
	}
	limit := uintptr(o.Limit.Milliseconds())
	if err := i.status(i.resolveAddr, i.id, from, address(i.to), limit); err != nil {
		return noRoute(err)
	}
	if _, err := i.expect(ctx, o.Limit*3/2, addressResolved); err != nil {
		return fmt.Errorf("its address: %w", err)
	}
	if err := i.status(i.resolveRoute, i.id, limit); err != nil {
		return noRoute(err)
	}
	if _, err := i.expect(ctx, o.Limit*3/2, routeResolved); err != nil {
		return fmt.Errorf("the route to it: %w", err)
	}
	return nil
}

// noRoute says why an address or the route to it was not resolved.
func noRoute(err error) error {
	switch {
	case errors.Is(err, syscall.ENETUNREACH) || errors.Is(err, syscall.EHOSTUNREACH):
		return fmt.Errorf("this machine has no route to it: %w", err)
	case errors.Is(err, syscall.ENODEV):
		if denied := ofMachine().denied(); denied != nil {
			return denied
		}
		return fmt.Errorf("the route to it uses a network interface without RDMA: %w", err)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("a port below 1024 needs the capability CAP_NET_BIND_SERVICE: %w", err)
	case errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("the address to connect from is in use, or no RDMA device of this machine has it: %w", err)
	}
	return fmt.Errorf("the route to it cannot be resolved: %w", err)
}

// request asks the peer for the connection. On Soft-iWARP the call waits for TCP, for minutes
// if the host is silent: then it is left behind, and late says when it has returned.
func (c *connection) request(ctx context.Context, o transport.Options) (late <-chan error, err error) {
	if err := c.carries(o.PrivateData, mostRequestData); err != nil {
		return nil, err
	}
	c.setParam(o.PrivateData, min(o.Reads, c.device.MostReads), 0)
	limited, cancel := context.WithTimeoutCause(ctx, o.Limit, errLimit)
	defer cancel()
	called := make(chan error, 1)
	go func() { called <- c.status(c.connect, c.id, address(c.param)) }()
	select {
	case err = <-called:
	case <-limited.Done():
		return called, c.silent(context.Cause(limited), o)
	}
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return nil, event{kind: rejected, status: -int(syscall.ECONNREFUSED)}.rejection()
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("the port to connect from is in use: %w", err)
	case errors.Is(err, syscall.ETIMEDOUT):
		return nil, event{kind: unreachable, status: -int(syscall.ETIMEDOUT)}.asError()
	case err != nil:
		return nil, fmt.Errorf("it cannot be connected to: %w", err)
	}
	e, err := c.expect(limited, o.Limit, established)
	if err != nil {
		return nil, c.silent(err, o)
	}
	c.established(e)
	return nil, nil
}

// silent says so where an answer took longer than the options say.
func (c *connection) silent(err error, o transport.Options) error {
	if !errors.Is(err, errLimit) {
		return err
	}
	by := "UDP port 4791"
	if c.device.IWARP {
		by = "TCP port " + strconv.Itoa(int(c.peer.Port()))
	}
	return fmt.Errorf("no answer within %v: does the host have RDMA, and does a firewall allow it (%s)?", o.Limit, by)
}

// carries says that there is more private data than goes into a message of InfiniBand's CM.
func (c *connection) carries(data []byte, most int) error {
	if c.device.IWARP {
		most = mostIWARPData
	}
	if len(data) > most {
		return fmt.Errorf("%d bytes of private data exceed the %d that can be sent", len(data), most)
	}
	return nil
}
