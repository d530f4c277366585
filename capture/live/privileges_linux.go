package live

import (
	"errors"
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// keptCapabilities are those that writing files of others takes, which root may expect to
// do; none of them gives access to the network.
const keptCapabilities = 1<<unix.CAP_CHOWN | 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_DAC_READ_SEARCH | 1<<unix.CAP_FOWNER | 1<<unix.CAP_FSETID

// DropPrivileges gives up what the process may do beyond other processes of its user, for
// good and for each of its threads, but for keptCapabilities: nothing of that is needed when
// all interfaces are open. Nor can it get any of it back by running another program. Its error is
// errors.ErrUnsupported where the process has parts in C, of whose threads Go knows nothing.
func DropPrivileges() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return fmt.Errorf("capget: %w", err)
	}
	for i := range sets {
		s := &sets[i]
		kept := uint32(uint64(keptCapabilities) >> (32 * i))
		s.Permitted &= kept
		s.Effective &= kept
		s.Inheritable = 0
	}
	if _, _, errno := syscall.AllThreadsSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&sets[0])), 0); errno != 0 {
		if errno == unix.ENOTSUP {
			return errors.ErrUnsupported
		}
		return fmt.Errorf("capset: %w", errno)
	}
	if _, _, errno := syscall.AllThreadsSyscall6(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0); errno != 0 {
		return fmt.Errorf("prctl: %w", errno)
	}
	return nil
}

// Privileged reports whether the process may do more than what capturing takes and
// DropPrivileges leaves: whoever took it over by what it reads would have that.
func Privileged() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return false // nothing is known of it
	}
	return moreThanCapturing(uint64(sets[0].Permitted) | uint64(sets[1].Permitted)<<32)
}

// moreThanCapturing reports whether a set of capabilities has others than CAP_NET_RAW,
// CAP_NET_ADMIN and keptCapabilities.
func moreThanCapturing(set uint64) bool {
	return set&^(1<<unix.CAP_NET_RAW|1<<unix.CAP_NET_ADMIN|keptCapabilities) != 0
}
