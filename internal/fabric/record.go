package fabric

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// A Kind is what crossed.
type Kind int

// The kinds. Ask, Agree and Refuse are of the connection manager; Leave is the first Close of
// the two sides.
const (
	Ask Kind = iota
	Agree
	Refuse
	Send
	SendInvalidate
	Read
	Write
	Leave
)

func (k Kind) String() string {
	return [...]string{"Ask", "Agree", "Refuse", "Send", "Send With Invalidate", "RDMA Read", "RDMA Write", "Leave"}[k]
}

// An Event is what crossed from one side of a connection to the other.
type Event struct {
	Connection int // from 1 on
	Kind       Kind
	ToServer   bool           // that side is the one that accepted
	From, To   netip.AddrPort // of Ask
	// Bytes are the private data, the message, or what was read or written.
	Bytes []byte
	// Remote is where a Read or Write went; of Send With Invalidate its handle.
	Remote transport.Remote
	// Status is why it broke the connection, as the completion of a RoCE device has it, or
	// the reason of Refuse; 0 where it was done.
	Status int
}

func (e Event) String() string {
	way := "to client"
	if e.ToServer {
		way = "to server"
	}
	s := fmt.Sprintf("%d %s: %v of %d", e.Connection, way, e.Kind, len(e.Bytes))
	if e.Kind == SendInvalidate || e.Kind == Read || e.Kind == Write {
		s += fmt.Sprintf(" %#x+%#x", e.Remote.Handle, e.Remote.Offset)
	}
	if e.Status != 0 {
		s += fmt.Sprintf(", status %d", e.Status)
	}
	return s
}

// record is called with the lock held.
func (f *Fabric) record(e Event) { f.events = append(f.events, e) }

// Events is what crossed so far, in order. Nobody may change its bytes.
func (f *Fabric) Events() []Event {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.events)
}
