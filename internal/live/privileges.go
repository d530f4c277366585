package live

import (
	"errors"

	wire "github.com/rdmacap/rdmacap/capture/live"
)

// dropPrivileges gives up what is not needed any more, or says that it is kept.
func (s *Session) dropPrivileges() error {
	err := wire.DropPrivileges()
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	s.notifyPrivileges()
	return nil
}

// notifyPrivileges says that privileges are kept that whoever took the process over, by what it reads,
// would have, and what to do about it.
func (s *Session) notifyPrivileges() {
	if wire.Privileged() {
		s.notify("warning: running with root's capabilities while packets are read: a build with cgo cannot drop them. " +
			"Run it as another user after setcap cap_net_raw+ep, or build with CGO_ENABLED=0 and -tags noverbs")
	}
}
