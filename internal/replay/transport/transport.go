// Package transport is what a replay needs of an RDMA provider: connections over reliable
// queue pairs in both roles, registered memory, and work. Package internal/replay/verbs has the
// provider that real devices are used by; tests have others.
//
//	Provider ──Dial──────────────────────────────> Connection ──Register──> Region ──> Window
//	         ──Listen──> Listener ──> Request ──Accept──^  Send, Read, Write ──> Next: Completion
//
// A call that posts work returns when the device has it. What became of it, Next says: a
// completion has the ID that the caller gave. On one connection work is done in the order
// in which it was published, but an RDMA Read may end after what follows it.
package transport

import (
	"context"
	"net/netip"
	"time"
)

// A Provider makes connections. Any goroutine may use it.
type Provider interface {
	// Devices are the RDMA devices of this machine.
	Devices() ([]Device, error)
	// Dial connects. It ends with ctx, and with an error where one step takes longer
	// than the options say.
	Dial(ctx context.Context, to netip.AddrPort, o Options) (Connection, error)
	// Listen waits for connections to an address, which may be unspecified, for those to
	// any, and to a port, which is chosen where it is 0.
	Listen(at netip.AddrPort) (Listener, error)
}

// A Device is an RDMA device and what it can do.
type Device struct {
	Name string // as in rxe0 or mlx5_0
	// IWARP says that it is one of iWARP, and not of InfiniBand or RoCE.
	IWARP bool
	// Windows says that it has memory windows of type 2 (A or B), which a peer's Send
	// With Invalidate invalidates.
	Windows bool
	// Offsets says that memory can be advertised at an offset that the caller chooses
	// (Registration.Offset). Soft-iWARP takes any and goes by the address.
	Offsets bool
	// InvalidatesPlain says that a peer's Send With Invalidate may name a Region that is
	// no Window. Elsewhere that breaks the connection.
	InvalidatesPlain bool
	// MostWork is how much work of each direction one queue pair takes, MostCompletions
	// how many completions a completion queue holds.
	MostWork, MostCompletions int
	// MostReads is how many RDMA Reads of a peer, and MostOwnReads how many of ours, may
	// be open at once on one connection.
	MostReads, MostOwnReads int
}

// Options are those of one connection.
type Options struct {
	// PrivateData goes to the peer when the connection is made: at most 56 bytes in a
	// request and 196 in an answer to it on InfiniBand and RoCE.
	PrivateData []byte
	// From is where Dial connects from; the zero value leaves it to the routes. A port
	// below 1024 takes CAP_NET_BIND_SERVICE.
	From netip.AddrPort
	// Receives is how many Receives are published before the peer can send anything, each of
	// ReceiveSize bytes. 0 is DefaultWork and DefaultSize.
	Receives, ReceiveSize int
	// Work is how many Sends, RDMA Reads and Writes, binds and invalidations may be
	// under way at once, SendSize how long a Send may be. 0 is DefaultWork and DefaultSize.
	Work, SendSize int
	// Reads is how many RDMA Reads of the peer may be open at once. 0 is as many as the
	// device has, but for 16 at the most; the peer of Accept asks for what it needs.
	Reads int
	// Limit is how long each step of making the connection may take. 0 is DefaultLimit.
	Limit time.Duration
}

// What Options are where they are 0: the credits and inline thresholds of Linux, and a time
// in which a connection manager has repeated itself several times.
const (
	DefaultWork  = 128
	DefaultSize  = 4096
	DefaultLimit = 10 * time.Second
)

// WithDefaults returns the options with the defaults in place of what is 0.
func (o Options) WithDefaults() Options {
	for _, d := range []struct {
		at *int
		is int
	}{{&o.Receives, DefaultWork}, {&o.ReceiveSize, DefaultSize}, {&o.Work, DefaultWork}, {&o.SendSize, DefaultSize}, {&o.Reads, 16}} {
		if *d.at == 0 {
			*d.at = d.is
		}
	}
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	return o
}

// A Listener waits for connections. One goroutine calls Next; Close is for any.
type Listener interface {
	// Addr is where it listens.
	Addr() netip.AddrPort
	// Next is the next peer that asks for a connection.
	Next(ctx context.Context) (Request, error)
	Close() error
}

// A Request is a connection that a peer asks for, to be answered by Accept or Reject, after
// either of which it is used up.
type Request interface {
	// PrivateData is the peer's, as long as the transport makes it: 56 bytes on
	// InfiniBand and RoCE, with zeroes after what the peer gave.
	PrivateData() []byte
	Peer() netip.AddrPort
	Device() Device
	// Accept makes the connection. On iWARP the peer has to send first (RFC 5044, section
	// 7.1), whether by Send, Read or Write.
	Accept(ctx context.Context, o Options) (Connection, error)
	// Reject refuses it, with at most 148 bytes for the peer.
	Reject(privateData []byte) error
}
