//go:build !linux || !(amd64 || arm64) || noverbs

package verbs

import (
	"context"
	"errors"
	"net/netip"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// ManagerLibrary is the name by which the loader finds librdmacm.
const ManagerLibrary = "librdmacm.so.1"

// Built reports whether this build has a way to RDMA devices.
const Built = false

// New returns a provider that says that this build has no way to RDMA devices.
func New(_, _ string) transport.Provider { return none{} }

type none struct{}

// errNone says which build has what this one has not.
var errNone = errors.New("this build of rdmacap has no RDMA device support, which needs Linux on amd64 or arm64 and a build without the tag noverbs")

func (none) Devices() ([]transport.Device, error) { return nil, errNone }
func (none) Dial(context.Context, netip.AddrPort, transport.Options) (transport.Connection, error) {
	return nil, errNone
}
func (none) Listen(netip.AddrPort) (transport.Listener, error) { return nil, errNone }
