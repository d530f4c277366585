//go:build !linux

package device

import "errors"

// Survey says that it cannot be told on this system.
func Survey() (Machine, error) {
	return Machine{}, errors.New("interfaces and RDMA devices can be listed on Linux only")
}
