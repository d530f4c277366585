package transport

import (
	"context"
	"net/netip"
)

// A Connection is one over a reliable queue pair. Any goroutine may use it.
type Connection interface {
	Device() Device
	Local() netip.AddrPort
	Peer() netip.AddrPort
	// PrivateData is what the peer gave, as long as the transport makes it: 196 bytes on
	// InfiniBand and RoCE where the peer answered, 56 where it asked, with zeroes after
	// what the peer gave; its own length on iWARP.
	PrivateData() []byte

	// Register registers so many bytes of zeroes.
	Register(length int, r Registration) (Region, error)
	// NewWindow returns a memory window of type 2, which nothing is bound to yet.
	NewWindow() (Window, error)

	// Send sends a message, of which it takes a copy.
	Send(id uint64, message []byte) error
	// SendAll sends messages, of which it takes copies, as one list of work requests, so that no
	// call comes between them. IDs count from the first one's. It takes as many as the send queue
	// has room for, and says how many: fewer than all without an error, or with ErrFull if none.
	SendAll(first uint64, messages [][]byte) (taken int, err error)
	// SendInvalidate sends a message with a handle of the peer, which it invalidates there.
	SendInvalidate(id uint64, message []byte, handle uint32) error
	// Read fills a range of a Region with memory of the peer, by RDMA Read.
	Read(id uint64, to Range, from Remote) error
	// Write fills memory of the peer with a range of a Region, by RDMA Write. It completes
	// when the range is not needed any more, which on iWARP is before the peer has it; the
	// peer does when it receives what is sent after it.
	Write(id uint64, from Range, to Remote) error
	// Invalidate invalidates the handle of a Window on this side.
	Invalidate(id uint64, handle uint32) error

	// Next is the next completion of work, or the next message that came. When the
	// connection has ended, and what was under way has been told, it returns an error that
	// is a Disconnected.
	Next(ctx context.Context) (Completion, error)
	// Repost gives the buffer of a received message back, to receive another one in.
	Repost(c Completion) error

	// Close disconnects and gives all back, Regions and Windows as well.
	Close() error
}

// Access is what a peer may do with memory.
type Access int

// The kinds of access, which may be together. Sink is of memory that RDMA Reads of this side
// fill, to which on iWARP the peer has to have access.
const (
	RemoteRead Access = 1 << iota
	RemoteWrite
	Sink
	// Bindable is of memory that windows are bound to.
	Bindable
)

// A Registration says how memory is registered.
type Registration struct {
	Access Access
	// At has the memory be advertised at Offset, where the device honours that
	// (Device.Offsets); elsewhere Register refuses it. Without it, offset is the address.
	At     bool
	Offset uint64
}

// A Region is registered memory.
type Region interface {
	// Handle is the R_key or STag, Offset the tagged offset of the first byte, by which a
	// peer finds it.
	Handle() uint32
	Offset() uint64
	// Bytes are the memory, until Close. A device may write to it at any time.
	Bytes() []byte
	// Close deregisters it: nothing that is under way may use it, and no window be bound
	// to it.
	Close() error
}

// A Range is part of a Region.
type Range struct {
	Region     Region
	At, Length int
}

// A Remote is where memory of the peer begins.
type Remote struct {
	Handle uint32
	Offset uint64
}

// A Window gives a peer part of a Region under a handle of its own, which is another each
// time it is bound, and which the peer's Send With Invalidate makes invalid.
type Window interface {
	// Bind has the window show a range, and returns its new handle. The peer may use it
	// after what is published next. A window that is bound has to be invalidated first, by
	// the peer or by Invalidate, and a bind has to have completed before the next.
	Bind(id uint64, r Range, access Access) (handle uint32, err error)
	Close() error
}

// An Operation is what a completion is of.
type Operation int

// The operations.
const (
	OpSend Operation = iota
	OpReceive
	OpRead
	OpWrite
	OpBind
	OpInvalidate
)

func (o Operation) String() string {
	return [...]string{"Send", "Receive", "RDMA Read", "RDMA Write", "Bind", "Local Invalidate"}[o]
}

// A Completion is what became of work.
type Completion struct {
	Operation Operation
	// ID is the caller's, 0 of a Receive.
	ID uint64
	// Err is why it failed, a WorkError; the connection then ends. A Receive is only told
	// of when it has a message.
	Err error
	// Message is what was received, valid until Repost, in the buffer of number Slot.
	Message []byte
	Slot    int
	// Invalidated says that the message invalidated the handle. Soft-iWARP does it
	// without saying so.
	Invalidated bool
	Handle      uint32
}
