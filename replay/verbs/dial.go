//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"syscall"

	"github.com/rdmacap/rdmacap/replay/transport"
)

// mostRequestData and mostAnswerData are how much private data InfiniBand and RoCE carry.
const (
	mostRequestData = 56
	mostAnswerData  = 196
	mostRejectData  = 148
	// mostIWARPData is how much iWARP carries by this library, which has one octet for
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
	if err := c.dial(ctx, o); err != nil {
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
		return fmt.Errorf("the route to it leaves by a network interface without RDMA: %w", err)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("a port below 1024 takes the capability CAP_NET_BIND_SERVICE: %w", err)
	case errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("the address to connect from is taken, or no RDMA device of this machine has it: %w", err)
	}
	return fmt.Errorf("the way to it cannot be resolved: %w", err)
}

// dial asks the peer for the connection.
func (c *connection) dial(ctx context.Context, o transport.Options) error {
	if err := c.carries(o.PrivateData, mostRequestData); err != nil {
		return err
	}
	c.setParam(o.PrivateData, min(o.Reads, c.device.MostReads), 0)
	err := c.status(c.connect, c.id, address(c.param))
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return event{kind: rejected, status: -int(syscall.ECONNREFUSED)}.rejection()
	case err != nil:
		return fmt.Errorf("it cannot be connected to: %w", err)
	}
	e, err := c.expect(ctx, o.Limit, established)
	switch {
	case errors.Is(err, errLimit):
		return fmt.Errorf("it does not answer within %v: has the host RDMA, and does a firewall let it through (UDP port 4791 for RoCE)?", o.Limit)
	case err != nil:
		return err
	}
	c.established(e)
	return nil
}

// carries says that there is more private data than goes into a message of InfiniBand's CM.
func (c *connection) carries(data []byte, most int) error {
	if c.device.IWARP {
		most = mostIWARPData
	}
	if len(data) > most {
		return fmt.Errorf("%d octets of private data are more than the %d that can be sent", len(data), most)
	}
	return nil
}
