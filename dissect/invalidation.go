package dissect

import (
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// An Invalidation is what a Send with Invalidate does to the memory of the end that
// receives it.
type Invalidation struct {
	Handle uint32
	// CallKnown says that the message answers a call that is in the capture;
	// Segments is how many segments with the handle that call advertised. They can be
	// used no more.
	CallKnown bool
	Segments  int
	// Permission says whether the rules of the message's version permit it: in
	// version 1 both ends' private data (RFC 8797, section 4.1), in version 2 the
	// rdma_inv_handle of the call.
	Permission Permission
}

// A Permission says whether something is permitted.
type Permission uint8

const (
	PermissionUnknown Permission = iota // the capture does not tell
	Permitted
	Forbidden
)

// String is "unknown", "permitted" or "forbidden".
func (p Permission) String() string {
	switch p {
	case Permitted:
		return "permitted"
	case Forbidden:
		return "forbidden"
	}
	return "unknown"
}

// Invalidation is what a Send with Invalidate does; not ok for another Send.
func (m *Message) Invalidation() (i Invalidation, ok bool) {
	if !m.HasInvalidated {
		return i, false
	}
	i.Handle = m.Invalidated
	if r := m.rpc; r != nil && r.Call != nil && m == r.Reply {
		i.CallKnown = true
		for k := range r.Offer.Regions {
			if r.Offer.Regions[k].Handle == i.Handle {
				i.Segments++
			}
		}
	}
	i.Permission = m.permission(&i)
	return i, true
}

func (m *Message) permission(i *Invalidation) Permission {
	c := m.Connection
	switch {
	case m.role == RoleCall:
		return Forbidden // only a reply may
	case m.Header.Version == rpcrdma.Version2:
		if !i.CallKnown || m.rpc.Call.Header.Version != rpcrdma.Version2 || m.rpc.Call.Header.Length < rpcrdma.FixedSize+8 {
			return PermissionUnknown
		}
		if h := m.rpc.Call.Header.InvHandle; h == 0 || h != i.Handle {
			return Forbidden
		}
		return Permitted
	case c.BeganLate():
		return PermissionUnknown
	case rpcrdma.RemoteInvalidationAllowed(c.ClientPrivate, c.ServerPrivate):
		return Permitted
	}
	return Forbidden
}
