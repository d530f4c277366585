//go:build !linux || !(amd64 || arm64) || noverbs

package verbs

import (
	"fmt"

	"github.com/rdmacap/rdmacap/capture/sniffer"
)

// Library is the name by which the loader finds libibverbs.
const Library = "libibverbs.so.1"

// OpenSniffer says that this build has no way to RDMA devices.
func OpenSniffer(_, device string, _, _ int) (sniffer.Port, error) {
	return nil, fmt.Errorf("%s: %w", device, errNone)
}
