//go:build !linux

package live

import (
	"errors"

	"github.com/rdmacap/rdmacap/capture"
)

// A Source captures frames of interfaces; on this system there is none.
type Source struct{}

// Open says that this system cannot be captured on.
func Open([]string, Options) (*Source, error) {
	return nil, errors.New("interfaces can be captured on Linux only; elsewhere: tcpdump -i IFACE -U -w - | rdmacap live -r -")
}

// Next is that of capture.Source.
func (*Source) Next(*capture.Frame) error { return errors.ErrUnsupported }

// Stop does nothing.
func (*Source) Stop() {}

// Drops are none.
func (*Source) Drops() Drops { return Drops{} }

// Waiting is 0.
func (*Source) Waiting() float64 { return 0 }

// DropPrivileges does nothing.
func DropPrivileges() error { return errors.ErrUnsupported }

// Close does nothing.
func (*Source) Close() error { return nil }

// Privileged is not known.
func Privileged() bool { return false }
