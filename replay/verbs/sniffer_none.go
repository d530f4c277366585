//go:build !linux || !(amd64 || arm64) || noverbs

package verbs

import (
	"errors"

	"github.com/rdmacap/rdmacap/capture/sniffer"
)

// Library is the name by which the loader finds libibverbs.
const Library = "libibverbs.so.1"

// OpenSniffer says that this build has no way to RDMA devices.
func OpenSniffer(_, device string, _, _ int) (sniffer.Port, error) {
	return nil, errors.New(device + ": this build of rdmacap has no way to RDMA devices: one for Linux on amd64 or arm64 that is built without the tag noverbs has")
}
